import type { RpcTypedData } from './rpc.ts';
import { json } from './typedData.ts';

/** ISO 8601 times of a timer's schedule. */
export interface TimerScheduleStatus {
  readonly last: string;
  readonly next: string;
  readonly lastUpdated: string;
}

export interface TimerOptions {
  /** Whether this call stands for a missed one. */
  readonly isPastDue?: boolean;
  /** Left out, the handler gets null: what the host sends for a timer whose schedule is not monitored. */
  readonly scheduleStatus?: TimerScheduleStatus;
  /** Attempts that failed before this one, where the function has a retry policy. */
  readonly retryCount?: number;
  /** How the last of them failed. */
  readonly failure?: unknown;
}

/** A timer's argument as the host sends it. */
export function timerInput({ isPastDue = false, scheduleStatus }: TimerOptions): RpcTypedData {
  return json({
    Schedule: { AdjustForDST: true },
    ScheduleStatus:
      scheduleStatus === undefined
        ? null
        : { Last: scheduleStatus.last, Next: scheduleStatus.next, LastUpdated: scheduleStatus.lastUpdated },
    IsPastDue: isPastDue,
  });
}
