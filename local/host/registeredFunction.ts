import type { FunctionMetadata, RpcBinding, RpcRetryOptions } from './rpc.ts';

/** A function of the app, as the host sees it. */
export interface RegisteredFunction {
  readonly name: string;
  readonly trigger: Trigger;
  /** The trigger and all other bindings by name, with their settings as registered. */
  readonly bindings: Readonly<Record<string, RpcBinding>>;
  readonly retry: RetryPolicy | undefined;
}

/** Settings of the trigger as registered: `eventHubName`, `cardinality`, `dataType`, `schedule`, ... */
export interface Trigger extends RpcBinding {
  readonly name: string;
}

/** What the host does after a failed invocation. Without a policy: nothing, and the batch is lost. */
export interface RetryPolicy {
  readonly strategy: 'fixedDelay' | 'exponentialBackoff';
  /** Retries after the first attempt; -1 for no end. */
  readonly maxRetryCount: number;
  /** Seconds, for `fixedDelay`. */
  readonly delayInterval?: number;
  /** Seconds, for `exponentialBackoff`. */
  readonly minimumInterval?: number;
  /** Seconds, for `exponentialBackoff`. */
  readonly maximumInterval?: number;
}

/** @throws when there is no trigger among the bindings */
export function toRegisteredFunction({ name, bindings, retryOptions }: FunctionMetadata): RegisteredFunction {
  const trigger = Object.entries(bindings).find(([, binding]) => /trigger$/i.test(binding.type));
  if (trigger === undefined) {
    throw new Error(`Function "${name}" has no trigger`);
  }
  return {
    name,
    bindings,
    trigger: { ...trigger[1], name: trigger[0] },
    retry: retryOptions === undefined ? undefined : toRetryPolicy(retryOptions),
  };
}

function toRetryPolicy(options: RpcRetryOptions): RetryPolicy {
  const { retryStrategy, maxRetryCount, delayInterval, minimumInterval, maximumInterval } = options;
  return {
    strategy: retryStrategy,
    maxRetryCount,
    ...(delayInterval && { delayInterval: delayInterval.seconds }),
    ...(minimumInterval && { minimumInterval: minimumInterval.seconds }),
    ...(maximumInterval && { maximumInterval: maximumInterval.seconds }),
  };
}
