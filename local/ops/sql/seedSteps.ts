import { markerColumnStep } from './markerColumnStep.ts';
import type { SeedPlan } from './plan.ts';
import { seedTableStep } from './seedTableStep.ts';
import type { Step } from './step.ts';

/** Has the rows that are there sent: by a change of each, since CES sends nothing else. */
export function seedSteps(plan: SeedPlan): Step[] {
  return plan.tables.flatMap((table) => [markerColumnStep(plan, table), seedTableStep(plan, table)]);
}
