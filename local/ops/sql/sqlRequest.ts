import type { HubAddress } from './hubAddress.ts';
import type { DisablePlan, SeedEndPlan, SeedPlan, SetUpPlan } from './plan.ts';

/** What the operator wants a script for. The hub may come from the settings of the app. */
export interface SqlRequest {
  readonly kind: 'sql';
  readonly wanted:
    | (Omit<SetUpPlan, keyof HubAddress> & Partial<HubAddress>)
    | SeedPlan
    | SeedEndPlan
    | DisablePlan;
  readonly json: boolean;
}
