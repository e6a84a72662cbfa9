import type { CosmosClientOptions } from '@azure/cosmos';

type HttpClient = NonNullable<CosmosClientOptions['httpClient']>;
type Request = Parameters<HttpClient['sendRequest']>[0];
type Response = Awaited<ReturnType<HttpClient['sendRequest']>>;

/** What happens to one bulk request instead of the ordinary. */
export type HttpFault =
  /** The service answers for the request as a whole. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The service answers some operations, by their place in the request, otherwise; the others are done. */
  | { readonly kind: 'operations'; readonly answers: Readonly<Record<number, OperationAnswer>> }
  | { readonly kind: 'body'; readonly status: number; readonly body: string }
  | { readonly kind: 'resetBefore' }
  | { readonly kind: 'resetAfter' }
  /** No answer comes until the request is given up. */
  | { readonly kind: 'silence' };

export interface OperationAnswer {
  readonly statusCode: number;
  readonly retryAfterMilliseconds?: number;
  readonly requestCharge?: number;
}

/**
 * The HTTP client of a Cosmos DB client under test: passes requests on to the real server, but for the bulk
 * requests that meet a fault.
 */
export class FaultyHttpClient implements HttpClient {
  /** Faults of the bulk requests to come, in order; undefined lets one pass. */
  faults: (HttpFault | undefined)[] = [];
  /** Bodies of the bulk requests received. */
  readonly bulkBodies: string[] = [];

  async sendRequest(request: Request): Promise<Response> {
    if (request.headers.get('x-ms-cosmos-is-batch-request') === undefined) return passOn(request);
    this.bulkBodies.push(String(request.body));
    const fault = this.faults.shift();
    switch (fault?.kind) {
      case undefined:
        return passOn(request);
      case 'status':
        return answer(
          request,
          fault.status,
          JSON.stringify({ message: 'a fault of the test' }),
          fault.headers,
        );
      case 'body':
        return answer(request, fault.status, fault.body);
      case 'operations':
        return withAnswers(request, fault.answers);
      case 'resetBefore':
        throw reset();
      case 'resetAfter':
        await passOn(request);
        throw reset();
      case 'silence':
        return untilAborted(request);
      default:
        return fault satisfies never;
    }
  }
}

async function passOn(request: Request): Promise<Response> {
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers.toJSON(),
    ...(typeof request.body === 'string' && { body: request.body }),
  });
  return answer(request, response.status, await response.text(), Object.fromEntries(response.headers));
}

/** Keeps operations that meet a fault from the server, and puts their answers in their places. */
async function withAnswers(
  request: Request,
  answers: Readonly<Record<number, OperationAnswer>>,
): Promise<Response> {
  const operations: readonly unknown[] = JSON.parse(String(request.body));
  const body = JSON.stringify(operations.filter((_, index) => answers[index] === undefined));
  const response = await passOn({ ...request, body });
  const done: unknown[] = JSON.parse(response.bodyAsText ?? '[]');
  const all = operations.map((_, index) => answers[index] ?? done.shift());
  return { ...response, bodyAsText: JSON.stringify(all) };
}

function reset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

function untilAborted({ abortSignal }: Request): Promise<Response> {
  const { promise, reject } = Promise.withResolvers<Response>();
  const abort = () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
  if (abortSignal?.aborted) abort();
  abortSignal?.addEventListener('abort', abort);
  return promise;
}

function answer(
  request: Request,
  status: number,
  body: string,
  fields: Record<string, string> = {},
): Response {
  const headers = new Headers(fields);
  return {
    request,
    status,
    bodyAsText: body,
    headers: {
      get: (name) => headers.get(name) ?? undefined,
      has: (name) => headers.has(name),
      set: (name, value) => headers.set(name, String(value)),
      delete: (name) => headers.delete(name),
      toJSON: () => Object.fromEntries(headers),
      [Symbol.iterator]: () => headers.entries(),
    },
  };
}
