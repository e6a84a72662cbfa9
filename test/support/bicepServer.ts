import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';

/**
 * The Bicep CLI as a server, spoken to in JSON-RPC: the first compilation takes seconds, mostly to load the types of
 * Azure's resources, those after it less than one.
 */
export class BicepServer {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #open = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #received = Buffer.alloc(0);
  #calls = 0;

  constructor(program: string) {
    this.#process = spawn(program, ['jsonrpc', '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      // It does not live long enough to gain by compiling its own code twice: halves what a file costs.
      env: { ...process.env, DOTNET_TieredCompilation: '0' },
    });
    this.#process.stdout.on('data', (data: Buffer) => this.#receive(data));
    this.#process.once('error', (error) => this.#fail(error));
    this.#process.once('exit', (code) => this.#fail(new Error(`bicep jsonrpc ended with ${code}`)));
    this.#hold(false);
  }

  /** @throws Error with what the compiler or the evaluation says is wrong */
  call(method: string, parameters: object): Promise<unknown> {
    const id = this.#calls++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.set(id, { resolve, reject });
    this.#hold(true);
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params: [parameters] }));
    this.#process.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
    return promise;
  }

  #receive(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    for (;;) {
      const headEnd = this.#received.indexOf(END_OF_HEAD);
      if (headEnd === -1) return;
      const length = Number(
        /Content-Length: (\d+)/i.exec(this.#received.toString('latin1', 0, headEnd))?.[1],
      );
      const start = headEnd + END_OF_HEAD.length;
      if (this.#received.length < start + length) return;
      this.#answer(this.#received.toString('utf8', start, start + length));
      this.#received = this.#received.subarray(start + length);
    }
  }

  #answer(text: string): void {
    const { id, result, error } = JSON.parse(text);
    const call = this.#open.get(id);
    this.#open.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error.message));
    if (this.#open.size === 0) this.#hold(false);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }

  /** Whether the test process must wait for this one. When the test process ends, the server sees it and ends, too. */
  #hold(wanted: boolean): void {
    const { stdin, stdout } = this.#process;
    for (const handle of [this.#process, stdin, stdout]) {
      if (handle instanceof Socket || handle === this.#process) handle[wanted ? 'ref' : 'unref']();
    }
  }
}

const END_OF_HEAD = '\r\n\r\n';
