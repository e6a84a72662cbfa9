import { randomBytes, randomUUID } from 'node:crypto';
import type { AppInstance, RegisteredCallback } from './appInstance.ts';
import type {
  CoreInvocationContext,
  InvocationModel,
  RpcInvocationRequest,
  RpcInvocationResponse,
} from './rpc.ts';

/** The request without what is the same for every trigger. */
export type InvocationData = Pick<RpcInvocationRequest, 'inputData' | 'triggerMetadata' | 'retryContext'>;

/**
 * One invocation, step for step as the Node worker makes it: arguments, hooks, handler, hooks, response.
 * @returns what the host is to send
 * @throws what the handler or a hook throws; like the worker it takes a thrown null or undefined for success
 */
export async function invoke(
  app: AppInstance,
  { metadata, callback }: RegisteredCallback,
  data: InvocationData,
): Promise<RpcInvocationResponse> {
  const core = coreContext(app, metadata, data);
  const model = app.programmingModel?.getInvocationModel(core);
  if (model === undefined) {
    throw new Error('The app has not set a programming model');
  }
  const { context, inputs } = await model.getArguments();
  contexts.set(core, context);
  const hookContext = { hookData: {}, appHookData: app.hookData, invocationContext: context, inputs };

  const before = { ...hookContext, functionCallback: callback };
  await during(core, 'preInvocationHooks', () => app.runHooks('preInvocation', before));

  const outcome = await during(core, 'invocation', () =>
    settle(model, context, before.inputs, before.functionCallback),
  );

  const after = { ...hookContext, inputs: before.inputs, ...outcome };
  await during(core, 'postInvocationHooks', () => app.runHooks('postInvocation', after));
  if (after.error !== null && after.error !== undefined) {
    throw after.error;
  }
  return model.getResponse(context, after.result);
}

function coreContext(
  app: AppInstance,
  metadata: RegisteredCallback['metadata'],
  data: InvocationData,
): CoreInvocationContext {
  const invocationId = randomUUID();
  const traceParent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
  const core: CoreInvocationContext = {
    invocationId,
    metadata,
    request: { invocationId, traceContext: { traceParent, traceState: '' }, ...data },
    log: (level, category, message) => {
      const entry = { level, category, message, functionName: metadata.name, invocationId };
      app.log(entry, contexts.get(core));
    },
  };
  return core;
}

/** What the library made of each invocation: the handler's own context. */
const contexts = new WeakMap<CoreInvocationContext, unknown>();

async function settle(
  model: InvocationModel,
  ...call: Parameters<InvocationModel['invokeFunction']>
): Promise<{ result: unknown; error: unknown }> {
  try {
    return { result: await model.invokeFunction(...call), error: null };
  } catch (error) {
    return { result: null, error };
  }
}

async function during<T>(
  core: CoreInvocationContext,
  state: NonNullable<CoreInvocationContext['state']>,
  step: () => Promise<T>,
): Promise<T> {
  core.state = state;
  try {
    return await step();
  } finally {
    core.state = undefined;
  }
}
