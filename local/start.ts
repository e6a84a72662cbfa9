import { fileURLToPath } from 'node:url';
import { startCoreTools } from './run/startCoreTools.ts';
import { UserError } from './run/userError.ts';

/** The exit code of `func start`, or 2 when it cannot be started. */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    return await startCoreTools({
      folder: fileURLToPath(new URL('..', import.meta.url)),
      args: process.argv.slice(2),
      path: process.env['PATH'] ?? '',
    });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    return 2;
  }
}
