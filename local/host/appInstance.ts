import type {
  FunctionCallback,
  FunctionMetadata,
  LogCategory,
  LogLevel,
  ProgrammingModel,
  RpcBinding,
} from './rpc.ts';

export type HookName = 'appStart' | 'appTerminate' | 'preInvocation' | 'postInvocation' | 'log';
export type HookCallback = (context: object) => unknown;

/** One line of log output of the app or of the library it is written with. */
export interface LogEntry {
  readonly level: LogLevel;
  /** `user`: the handler's own; `system`: the library's. */
  readonly category: LogCategory;
  readonly message: string;
  /** Absent for lines that belong to no invocation. */
  readonly functionName?: string;
  readonly invocationId?: string;
}

export interface RegisteredCallback {
  readonly metadata: FunctionMetadata;
  readonly callback: FunctionCallback;
}

/** What one loaded app has registered: the state of a Node worker. */
export class AppInstance {
  readonly functions = new Map<string, RegisteredCallback>();
  /** Shared by all hooks of the app. */
  readonly hookData: Record<string, unknown> = {};
  programmingModel: ProgrammingModel | undefined;
  #started = false;
  readonly #hooks: Record<HookName, HookCallback[]> = {
    appStart: [],
    appTerminate: [],
    preInvocation: [],
    postInvocation: [],
    log: [],
  };

  readonly #log: (entry: LogEntry) => void;

  constructor(log: (entry: LogEntry) => void) {
    this.#log = log;
  }

  /** @param invocationContext what the handler was given, for lines that belong to an invocation. */
  log(entry: LogEntry, invocationContext?: unknown): void {
    const { level, category, message } = entry;
    const context = { hookData: {}, appHookData: this.hookData, level, category, message, invocationContext };
    for (const callback of this.#hooks.log) callback(context);
    // A hook may change what a line of the app says.
    this.#log(category === 'user' ? { ...entry, level: context.level, message: context.message } : entry);
  }

  /** From here on registering a function is an error, as in the worker. */
  finishStartup(): void {
    this.#started = true;
  }

  register(metadata: FunctionMetadata, callback: FunctionCallback): void {
    if (this.#started) {
      throw new Error('A function can only be registered during app startup.');
    }
    if (this.functions.has(metadata.name)) {
      throw new Error(`A function with id "${metadata.name}" has already been registered.`);
    }
    // Settings travel as JSON: what JSON drops, such as undefined, the host never sees.
    const bindings: Record<string, RpcBinding> = JSON.parse(JSON.stringify(metadata.bindings));
    this.functions.set(metadata.name, { metadata: { ...metadata, bindings }, callback });
  }

  /** @returns what undoes it. @throws RangeError for a hook this host does not run. */
  registerHook(name: string, callback: HookCallback): () => void {
    if (!isHookName(name)) {
      throw Object.assign(new RangeError(`Unrecognized hook "${name}"`), {
        isAzureFunctionsSystemError: true,
      });
    }
    this.#hooks[name].push(callback);
    return () => {
      this.#hooks[name] = this.#hooks[name].filter((registered) => registered !== callback);
    };
  }

  async runHooks(name: HookName, context: object): Promise<void> {
    for (const callback of this.#hooks[name]) {
      await callback(context);
    }
  }
}

function isHookName(name: string): name is HookName {
  return ['appStart', 'appTerminate', 'preInvocation', 'postInvocation', 'log'].includes(name);
}
