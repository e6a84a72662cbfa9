import { guardedStep, throwIf } from './guard.ts';
import type { SetUpPlan } from './plan.ts';
import { ENABLED } from './readFeed.ts';
import type { Step } from './step.ts';

/**
 * Turns CES on in the database.
 * `sys.sp_enable_event_stream` is the documented name. Newer builds also have `sys.sp_enable_change_event_stream`,
 * seen in public scripts only, and so on for the other procedures.
 */
export function enableStep({ database }: SetUpPlan): Step {
  return guardedStep(database, 'Enable change event streaming', [
    `DECLARE @failed int = 0;`,
    `IF NOT ${ENABLED}`,
    `    EXEC @failed = sys.sp_enable_event_stream;`,
    throwIf(
      `@failed <> 0 OR NOT ${ENABLED}`,
      'change event streaming could not be enabled; see the error above',
    ),
  ]);
}
