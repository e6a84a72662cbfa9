import type { RegisteredFunction } from './registeredFunction.ts';
import type { RpcBinding, RpcInvocationResponse } from './rpc.ts';

/** What an invocation left for one output binding. */
export interface Output {
  readonly binding: RpcBinding;
  /** As the host would send them: a JSON array is a message per element, an element that is a string is the body. */
  readonly bodies: readonly string[];
}

export function outputsOf({ outputData = [] }: RpcInvocationResponse, bindings: Bindings): readonly Output[] {
  return outputData.flatMap(({ name, data }) => {
    const binding = bindings[name];
    if (binding === undefined) return [];
    const value: unknown = data.json === undefined ? data.string : JSON.parse(data.json);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return [{ binding, bodies: values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) }];
  });
}

type Bindings = RegisteredFunction['bindings'];
