import { ConfigurationError } from '../../src/errors/configurationError.ts';
import { OutageError } from '../../src/errors/outageError.ts';
import { InputError } from '../input/inputError.ts';
import { endWithReader } from '../run/endWithReader.ts';
import { UserError } from '../run/userError.ts';
import { outageHint } from './outageHint.ts';
import { parseRequest } from './parseRequest.ts';
import { runOps } from './runOps.ts';

endWithReader();

/** 0: done. 1: some of it is not done, or a service does not answer. 2: the user has to change something. */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const request = parseRequest(process.argv.slice(2));
    return request === undefined ? 0 : await runOps(request);
  } catch (error) {
    if (error instanceof UserError || error instanceof InputError || error instanceof ConfigurationError)
      return complain(error, 2);
    if (error instanceof OutageError) {
      const code = complain(error, 1);
      const hint = outageHint(error);
      if (hint !== undefined) console.error(hint);
      return code;
    }
    throw error;
  }
}

function complain({ message }: Error, exitCode: number): number {
  console.error(message);
  return exitCode;
}
