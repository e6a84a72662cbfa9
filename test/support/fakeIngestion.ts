import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** Takes what the library sends to Application Insights, on loopback. */
export interface FakeIngestion {
  readonly connectionString: string;
  /** Bodies received, unzipped. */
  readonly bodies: readonly string[];
  /** All envelopes of them. */
  envelopes(): readonly Envelope[];
  close(): Promise<void>;
}

export interface Envelope {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly data: { readonly baseType: string; readonly baseData: BaseData };
}

interface BaseData {
  readonly name?: string;
  readonly message?: string;
  readonly success?: boolean;
  readonly properties?: Readonly<Record<string, string>>;
  readonly metrics?: readonly { readonly name: string; readonly value: number; readonly count?: number }[];
}

export async function startFakeIngestion(): Promise<FakeIngestion> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    bodies.push((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString());
    response.setHeader('content-type', 'application/json');
    response.end('{"itemsReceived":1,"itemsAccepted":1,"errors":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    // The library turns http into https, unless it finds https somewhere in the address.
    connectionString: `InstrumentationKey=00000000-0000-4000-8000-000000000000;IngestionEndpoint=http://127.0.0.1:${port}/https://`,
    bodies,
    envelopes: () => bodies.flatMap(parseEnvelopes),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A JSON array, or one envelope a line. */
function parseEnvelopes(body: string): readonly Envelope[] {
  if (body.startsWith('[')) return JSON.parse(body);
  return body.split('\n').map((line): Envelope => JSON.parse(line));
}
