import { answerSeeds } from '../support/seedWorkers.ts';
import { Chaos } from './chaos.ts';

const chaos = await Chaos.start();

answerSeeds(
  (seed) => chaos.run(seed).catch((error: unknown) => ({ problems: [String(error)], counts: undefined })),
  () => chaos.close(),
);
