import { Convergence } from './convergence.ts';
import type { WorkerResult } from './main.ts';

/** Runs the seeds that the parent process sends, one at a time, and answers with what is wrong. */
const convergence = await Convergence.start();

process.on('message', async (message) => {
  const seed = Number(message);
  const problems = await convergence.run(seed).catch((error: unknown) => [String(error)]);
  process.send?.({ seed, problems } satisfies WorkerResult);
});
process.on('disconnect', () => convergence.close());
process.send?.('ready');
