import { oneLine } from '../../run/command.ts';
import { UserError } from '../../run/userError.ts';
import { MAX_NAME } from './limits.ts';

/**
 * A name of a database object, as it is, without brackets.
 * @param option what the user wrote it for, such as `--group`.
 * @throws UserError for what cannot be a name, or would mean something to the tool that runs the script.
 */
export function checkName(option: string, name: string): string {
  const refuse = (why: string): never => {
    throw new UserError(`${option}: '${oneLine(name)}' ${why}`);
  };
  if (name.trim() === '') refuse('is empty; give a name');
  if (name.length > MAX_NAME) refuse(`is longer than the ${MAX_NAME} characters of a name`);
  // A line that says GO ends a batch, whatever it stands in.
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) refuse('has a control character or a line break');
  if (!name.isWellFormed()) refuse('is not valid Unicode');
  if (name.includes('$(')) refuse('has $(, which sqlcmd replaces wherever it stands');
  return name;
}
