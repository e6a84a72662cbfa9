import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Convergence } from './convergence.ts';

/** Promise 1 of the design, through the real function, Azurite and the Cosmos server. */
const SEEDS = 25;

let convergence: Convergence;
before(async () => {
  convergence = await Convergence.start();
});
after(() => convergence.close());

test(`${SEEDS} random histories converge`, async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const problems = await convergence.run(seed);
    assert.deepEqual(
      problems,
      [],
      `seed ${seed}; to run it again: npm run converge -- --first ${seed} --seeds 1`,
    );
  }
});
