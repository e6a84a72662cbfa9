import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { addressOf, closeHttpServer, LOOPBACK, listen } from '../../local/servers/httpServer.ts';
import { answerOperations } from './bulkFault.ts';
import type { Fault } from './fault.ts';

/** A request as it came in. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Stands between the function and a server, and cuts, delays and falsifies as it is told. */
export class FaultyProxy {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #target: URL;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #faultOf: (incoming: Incoming) => Fault | undefined;

  private constructor(target: string, faultOf: (incoming: Incoming) => Fault | undefined) {
    this.#target = new URL(target);
    this.#faultOf = faultOf;
    this.#server = createServer((incoming, response) => {
      const handled = this.#handle(incoming, response)
        .catch(() => incoming.socket.destroy())
        .finally(() => this.#underWay.delete(handled));
      this.#underWay.add(handled);
    });
  }

  static async start(
    target: string,
    faultOf: (incoming: Incoming) => Fault | undefined,
  ): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, faultOf);
    await listen(proxy.#server, 0);
    return proxy;
  }

  /** `http://127.0.0.1:<port>`. */
  get origin(): string {
    return `http://${LOOPBACK}:${addressOf(this.#server).port}`;
  }

  /** Resolves when nothing is under way: a request that its sender has given up may still be done. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await closeHttpServer(this.#server);
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = await buffer(incoming);
    const asked: Asked = { method, path, headers, body };
    const fault = this.#faultOf(asked);
    const pass = (changed: Partial<Asked> = {}): Promise<Answer> => this.#forward({ ...asked, ...changed });
    switch (fault?.kind) {
      case undefined:
        return send(response, await pass());
      case 'status':
        return send(response, statusAnswer(fault.status, fault.headers));
      case 'operations':
        return send(response, await answerOperations(body, fault, (left) => pass({ body: left })));
      case 'cutBefore':
        incoming.socket.destroy();
        return;
      case 'cutAfter':
        await pass();
        incoming.socket.destroy();
        return;
      case 'cutMidway': {
        const answer = await pass();
        response.writeHead(answer.status, {
          ...answer.headers,
          'content-length': String(answer.body.length + 1),
        });
        response.write(answer.body, () => incoming.socket.destroy());
        return;
      }
      case 'slow':
        await setTimeout(fault.milliseconds);
        return send(response, await pass());
      case 'silence':
        if (fault.done) await pass();
        // A process that has nothing else to do does not wait for the end of a silence.
        await setTimeout(fault.milliseconds, undefined, { ref: false });
        incoming.socket.destroy();
        return;
      case 'lag':
        return send(response, withoutLastBlobs(await pass(), fault.hidden));
      default:
        return fault satisfies never;
    }
  }

  #forward({ method, path, headers, body }: Asked): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const { hostname, port } = this.#target;
    const { 'transfer-encoding': _, connection: __, ...kept } = headers;
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        agent: this.#agent,
        headers: { ...kept, 'content-length': String(body.length) },
      },
      (answer) => {
        buffer(answer).then(
          (content) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: content }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
    return promise;
  }
}

interface Asked extends Incoming {
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _, connection: __, ...kept } = headers;
  // An answer without a body, such as 204, must not name its length.
  response.writeHead(status, body.length > 0 ? { ...kept, 'content-length': String(body.length) } : kept);
  response.end(body);
}

function statusAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  const body = Buffer.from(JSON.stringify({ code: String(status), message: 'a fault of the test' }));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

/** The list as it was a moment ago. */
function withoutLastBlobs(answer: Answer, hidden: number): Answer {
  const blobs = [...answer.body.toString().matchAll(/<Blob>.*?<\/Blob>/gs)].slice(-hidden);
  const body = blobs.reduce((text, [blob]) => text.replace(blob, ''), answer.body.toString());
  return { ...answer, body: Buffer.from(body) };
}
