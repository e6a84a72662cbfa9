import { InputError } from './input/inputError.ts';
import { endWithReader } from './run/endWithReader.ts';
import { parseOptions } from './run/options.ts';
import { BatchFailed } from './run/playMessages.ts';
import { runLocal } from './run/runLocal.ts';
import { UserError } from './run/userError.ts';

endWithReader();

/** 0: all is well. 1: the replica differs, or a batch failed for good. 2: the user has to change something. */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const options = parseOptions(process.argv.slice(2));
    return options === undefined ? 0 : await runLocal(options);
  } catch (error) {
    if (error instanceof UserError || error instanceof InputError) return complain(error, 2);
    if (error instanceof BatchFailed) return complain(error, 1);
    throw error;
  }
}

function complain({ message }: Error, exitCode: number): number {
  console.error(message);
  return exitCode;
}
