import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction, constants } from 'node:vm';

type CommonJsBody = (
  exports: object,
  require: NodeJS.Require,
  module: object,
  file: string,
  dir: string,
) => void;

/**
 * Runs a CommonJS file, giving it `modules` for the names it lists and Node's own `require` for the rest. Node's
 * module cache is not involved, so every call makes an independent instance with its own state.
 * @param file absolute path
 * @throws what the file throws while it loads
 */
export function evaluateBundle(file: string, modules: Readonly<Record<string, object>>): void {
  const nodeRequire = createRequire(file);
  const bundleRequire = Object.assign((id: string) => modules[id] ?? nodeRequire(id), nodeRequire);
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const body = compileFunction(readFileSync(file, 'utf8'), parameters, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as CommonJsBody;
  const module = { exports: {} };
  body.call(module.exports, module.exports, bundleRequire, module, file, dirname(file));
}
