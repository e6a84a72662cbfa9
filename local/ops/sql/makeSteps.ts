import { disableSteps } from './disableSteps.ts';
import type { Plan } from './plan.ts';
import { seedEndSteps } from './seedEndSteps.ts';
import { seedSteps } from './seedSteps.ts';
import { setUpSteps } from './setUpSteps.ts';
import type { Step } from './step.ts';

/** The steps of a plan. Pure: the same plan always makes the same text. */
export function makeSteps(plan: Plan): Step[] {
  switch (plan.kind) {
    case 'set-up':
      return setUpSteps(plan);
    case 'seed':
      return seedSteps(plan);
    case 'seed-end':
      return seedEndSteps(plan);
    case 'disable':
      return disableSteps(plan);
    default:
      return plan satisfies never;
  }
}
