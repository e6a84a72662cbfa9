import { dirname } from 'node:path';
import type { HubBatch } from '../hubMessage.ts';
import { AppInstance, type LogEntry, type RegisteredCallback } from './appInstance.ts';
import { CORE_MODULE, createCoreModule } from './coreModule.ts';
import { type Delivery, deliverWithRetries, toRetryContext } from './delivery.ts';
import { overlayEnvironment } from './environmentOverlay.ts';
import { evaluateBundle } from './evaluateBundle.ts';
import { eventHubBodies } from './eventHubBodies.ts';
import { eventHubMetadata, type MetadataShape } from './eventHubMetadata.ts';
import { hubIdentity } from './hubIdentity.ts';
import { invoke } from './invoke.ts';
import { type Output, outputsOf } from './outputs.ts';
import { type RegisteredFunction, toRegisteredFunction } from './registeredFunction.ts';
import type { RpcRetryContext } from './rpc.ts';
import { type TimerOptions, timerInput } from './timerInput.ts';

export interface LoadOptions {
  /** Absolute path of a CommonJS bundle that leaves `@azure/functions-core` to the host. */
  readonly bundle: string;
  /** The app settings: set in `process.env` before the bundle loads, until `dispose`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log?: (entry: LogEntry) => void;
}

export interface EventHubOptions {
  /** `full` unless given. */
  readonly metadata?: MetadataShape;
}

export interface DeliveryOptions extends EventHubOptions {
  /** Attempts after which to stop even if the retry policy would go on. */
  readonly maxAttempts: number;
}

/** The app threw while it loaded. `cause` is what it threw. */
export class AppLoadError extends Error {
  override readonly name = 'AppLoadError';
  /** What had been registered by then. */
  readonly functions: readonly RegisteredFunction[];

  constructor(bundle: string, functions: readonly RegisteredFunction[], cause: unknown) {
    super(`The app ${bundle} failed to load: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.functions = functions;
  }
}

/**
 * An Azure Functions host and Node worker in this process. Handlers get what they get in Azure, because the app's own
 * copy of `@azure/functions` makes the arguments from the data the real host would send. Every host is one instance
 * of the app with its own state; the environment is shared by all of them, the newest deciding.
 */
export class FunctionsHost {
  readonly functions: readonly RegisteredFunction[];
  readonly #app: AppInstance;
  readonly #settings: Readonly<Record<string, string>>;
  #restoreEnvironment: (() => void) | undefined;

  private constructor(app: AppInstance, settings: Readonly<Record<string, string>>, restore: () => void) {
    this.functions = registeredFunctions(app);
    this.#app = app;
    this.#settings = settings;
    this.#restoreEnvironment = restore;
  }

  /** @throws AppLoadError when the app throws while it loads; the environment is restored by then */
  static async load({ bundle, environment, log = () => {} }: LoadOptions): Promise<FunctionsHost> {
    const restore = overlayEnvironment(environment);
    const app = new AppInstance(log);
    try {
      evaluateBundle(bundle, { [CORE_MODULE]: createCoreModule(app) });
      await app.runHooks('appStart', { appHookData: app.hookData, functionAppDirectory: dirname(bundle) });
      app.finishStartup();
      await app.programmingModel?.getCapabilities({ TypedDataCollection: 'true' });
    } catch (cause) {
      restore();
      throw new AppLoadError(bundle, registeredFunctions(app), cause);
    }
    return new FunctionsHost(app, { ...environment }, restore);
  }

  /** One invocation with a batch. @throws the handler's error; the batch is not tried again */
  invokeEventHub(functionName: string, batch: HubBatch, options: EventHubOptions = {}): Promise<void> {
    return this.#invokeEventHub(functionName, batch, options, undefined);
  }

  /** Invokes until the handler succeeds or the function's retry policy ends; its delays are left out. */
  deliver(functionName: string, batch: HubBatch, options: DeliveryOptions): Promise<Delivery> {
    const { retry } = toRegisteredFunction(this.#find(functionName).metadata);
    return deliverWithRetries(retry, options.maxAttempts, (retryContext) =>
      this.#invokeEventHub(functionName, batch, options, retryContext),
    );
  }

  /**
   * One call of a timer: the first attempt unless told otherwise.
   * @returns what it left for the host to send
   * @throws the handler's error
   */
  async invokeTimer(functionName: string, options: TimerOptions = {}): Promise<readonly Output[]> {
    const registered = this.#find(functionName);
    const { trigger, bindings, retry } = toRegisteredFunction(registered.metadata);
    expectTrigger(trigger.type, 'timerTrigger', functionName);
    const inputData = [{ name: trigger.name, data: timerInput(options) }];
    const response = await invoke(this.#app, registered, {
      inputData,
      triggerMetadata: {},
      ...(retry !== undefined && {
        retryContext: toRetryContext(retry, options.retryCount ?? 0, options.failure),
      }),
    });
    return outputsOf(response, bindings);
  }

  /** Runs the app's termination hooks and takes its settings out of the environment. A second call does nothing. */
  async dispose(): Promise<void> {
    const restore = this.#restoreEnvironment;
    this.#restoreEnvironment = undefined;
    if (restore === undefined) {
      return;
    }
    try {
      await this.#app.runHooks('appTerminate', { appHookData: this.#app.hookData });
    } finally {
      restore();
    }
  }

  async #invokeEventHub(
    functionName: string,
    batch: HubBatch,
    { metadata = 'full' }: EventHubOptions,
    retryContext: RpcRetryContext | undefined,
  ): Promise<void> {
    const registered = this.#find(functionName);
    const { trigger } = toRegisteredFunction(registered.metadata);
    expectTrigger(trigger.type, 'eventHubTrigger', functionName);
    await invoke(this.#app, registered, {
      inputData: [{ name: trigger.name, data: eventHubBodies(trigger, batch.messages) }],
      triggerMetadata: eventHubMetadata(hubIdentity(trigger, this.#settings), batch, metadata),
      ...(retryContext && { retryContext }),
    });
  }

  #find(functionName: string): RegisteredCallback {
    const registered = this.#app.functions.get(functionName);
    if (registered === undefined) {
      throw new Error(`The app has no function "${functionName}"`);
    }
    return registered;
  }
}

function registeredFunctions(app: AppInstance): RegisteredFunction[] {
  return [...app.functions.values()].map(({ metadata }) => toRegisteredFunction(metadata));
}

function expectTrigger(actual: string, expected: string, functionName: string): void {
  if (actual.toLowerCase() !== expected.toLowerCase()) {
    throw new Error(`Function "${functionName}" has a ${actual}, not a ${expected}`);
  }
}
