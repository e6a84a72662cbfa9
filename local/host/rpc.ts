/*
 * What the Functions host and the Node worker exchange, as far as it is used here. The worker supplies the module
 * `@azure/functions-core` at run time; no package declares its types.
 */

/** One value on the wire; exactly one member is set. */
export interface RpcTypedData {
  readonly string?: string;
  readonly json?: string;
  readonly collectionBytes?: { readonly bytes: readonly Uint8Array[] };
  readonly collectionString?: { readonly string: readonly string[] };
  readonly collectionSint64?: { readonly sint64: readonly (number | RpcLong)[] };
}

/** A 64-bit integer where the gRPC library does not turn it into a number. */
export interface RpcLong {
  readonly low: number;
  readonly high: number;
  readonly unsigned: boolean;
}

/** Settings of a trigger, an input or an output, as the app registered them. */
export interface RpcBinding {
  readonly type: string;
  readonly direction: 'in' | 'out';
  readonly [setting: string]: unknown;
}

export interface RpcRetryOptions {
  readonly retryStrategy: 'fixedDelay' | 'exponentialBackoff';
  readonly maxRetryCount: number;
  readonly delayInterval?: RpcDuration;
  readonly minimumInterval?: RpcDuration;
  readonly maximumInterval?: RpcDuration;
}

export interface RpcDuration {
  readonly seconds: number;
}

export interface FunctionMetadata {
  readonly name: string;
  readonly bindings: Readonly<Record<string, RpcBinding>>;
  readonly retryOptions?: RpcRetryOptions;
}

export interface RpcRetryContext {
  readonly retryCount: number;
  readonly maxRetryCount: number;
  readonly exception?: { readonly message: string; readonly stackTrace: string; readonly source: string };
}

export interface RpcInvocationRequest {
  readonly invocationId: string;
  readonly inputData: readonly { readonly name: string; readonly data: RpcTypedData }[];
  readonly triggerMetadata: Readonly<Record<string, RpcTypedData>>;
  readonly traceContext: { readonly traceParent: string; readonly traceState: string };
  readonly retryContext?: RpcRetryContext;
}

export type LogLevel = 'trace' | 'debug' | 'information' | 'warning' | 'error' | 'critical' | 'none';
export type LogCategory = 'user' | 'system' | 'customMetric';

/** What an invocation leaves for the host to send through its output bindings. */
export interface RpcInvocationResponse {
  readonly outputData?: readonly { readonly name: string; readonly data: RpcTypedData }[];
}

/** What the library is given for one invocation. */
export interface CoreInvocationContext {
  readonly invocationId: string;
  readonly request: RpcInvocationRequest;
  readonly metadata: FunctionMetadata;
  state?: 'preInvocationHooks' | 'invocation' | 'postInvocationHooks' | undefined;
  log(level: LogLevel, category: LogCategory, message: string): void;
}

export type FunctionCallback = (...args: unknown[]) => unknown;

export interface InvocationModel {
  getArguments(): Promise<{ context: unknown; inputs: unknown[] }>;
  invokeFunction(context: unknown, inputs: unknown[], callback: FunctionCallback): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<RpcInvocationResponse>;
}

export interface ProgrammingModel {
  readonly name: string;
  readonly version: string;
  getInvocationModel(context: CoreInvocationContext): InvocationModel;
  getCapabilities(capabilities: Record<string, string>): Promise<Record<string, string>>;
}
