import { answerSeeds } from '../support/seedWorkers.ts';
import { Convergence, type Problems } from './convergence.ts';

const convergence = await Convergence.start();

answerSeeds(
  (seed): Promise<Problems> => convergence.run(seed).catch((error: unknown) => [String(error)]),
  () => convergence.close(),
);
