import type { AppInstance, HookCallback } from './appInstance.ts';
import type { FunctionCallback, FunctionMetadata, LogCategory, LogLevel, ProgrammingModel } from './rpc.ts';

/** Name under which the worker offers its own module to the app. */
export const CORE_MODULE = '@azure/functions-core';

/** Version of the host that is imitated; the library only asks whether newer calls exist. */
const HOST_VERSION = '4.1000.0.0';

/** The module `@azure/functions-core` for one app: everything it registers ends up in `app`. */
export function createCoreModule(app: AppInstance): object {
  return {
    version: HOST_VERSION,
    hostVersion: HOST_VERSION,
    Disposable,
    registerFunction: (metadata: FunctionMetadata, callback: FunctionCallback) => {
      app.register(metadata, callback);
      return new Disposable(() => app.functions.delete(metadata.name));
    },
    setProgrammingModel: (model: ProgrammingModel) => {
      app.programmingModel = model;
    },
    getProgrammingModel: () => app.programmingModel,
    registerHook: (name: string, callback: HookCallback) => new Disposable(app.registerHook(name, callback)),
    log: (level: LogLevel, category: LogCategory, message: string) => app.log({ level, category, message }),
  };
}

class Disposable {
  readonly #dispose: () => unknown;

  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }

  dispose(): void {
    this.#dispose();
  }
}
