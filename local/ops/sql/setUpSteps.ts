import { addTableStep } from './addTableStep.ts';
import { checkServerStep } from './checkServerStep.ts';
import { checkTableStep } from './checkTableStep.ts';
import { createGroupStep } from './createGroupStep.ts';
import { credentialStep } from './credentialStep.ts';
import { enableStep } from './enableStep.ts';
import { masterKeyStep } from './masterKeyStep.ts';
import type { SetUpPlan } from './plan.ts';
import type { Step } from './step.ts';
import { verifyStep } from './verifyStep.ts';

/** CES from a database without it to tables that stream; steps that are done already do nothing. */
export function setUpSteps(plan: SetUpPlan): Step[] {
  return [
    checkServerStep(plan),
    ...plan.tables.map((table) => checkTableStep(plan, table)),
    masterKeyStep(plan),
    credentialStep(plan),
    enableStep(plan),
    createGroupStep(plan),
    ...plan.tables.map((table) => addTableStep(plan, table)),
    verifyStep(plan),
  ];
}
