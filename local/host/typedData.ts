import type { RpcLong, RpcTypedData } from './rpc.ts';

/** An object or an array of objects. */
export function json(value: unknown): RpcTypedData {
  return { json: JSON.stringify(value) };
}

/** Null and empty texts are left out: the Node worker does not ask the host to keep them. */
export function stringCollection(values: readonly (string | null)[]): RpcTypedData {
  return { collectionString: { string: values.map((value) => value ?? '').filter((value) => value !== '') } };
}

export function longCollection(values: readonly (number | RpcLong)[]): RpcTypedData {
  return { collectionSint64: { sint64: values } };
}

/** A 64-bit integer as two signed halves. */
export function toRpcLong(value: number): RpcLong {
  const bits = BigInt.asUintN(64, BigInt(value));
  return {
    low: Number(BigInt.asIntN(32, bits)),
    high: Number(BigInt.asIntN(32, bits >> 32n)),
    unsigned: false,
  };
}
