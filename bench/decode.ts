import { readFileSync } from 'node:fs';
import avsc from 'avsc';
import { defaultSimulationOptions } from '../local/simulation/options.ts';
import { simulate } from '../local/simulation/simulate.ts';
import { assembleEvent } from '../src/ces/assembleEvent.ts';
import { readMessage } from '../src/ces/readMessage.ts';
import { compare } from './rounds.ts';

export interface DecodeResult {
  readonly what: string;
  readonly messages: number;
  readonly microsecondsPerMessage: number;
  /** Speed as a share of the floor's. */
  readonly ofFloor: number;
}

/** Times each message is decoded in a round. */
const REPEATS = 20;

/** Bytes to change, against the bare parsers on the same bytes. */
export async function benchDecode(): Promise<readonly DecodeResult[]> {
  const json = bodies({ encoding: 'json' });
  const inserts = json.filter((body) => JSON.parse(body.toString()).operation === 'INS');
  return [
    await against('JSON inserts, three JSON.parse calls', inserts, parseJson),
    await against('JSON, a JSON.parse call per level and image', json, parseJson),
    await against('Avro without finalevent, bare avsc', avro('segment'), parseAvro(withoutFinalEvent)),
    await against('Avro with finalevent, bare avsc', avro('segment-final'), parseAvro(withFinalEvent)),
  ];
}

async function against(
  what: string,
  messages: readonly Buffer[],
  floor: (body: Buffer) => void,
): Promise<DecodeResult> {
  const each = (decode: (body: Buffer) => void) => (): void => {
    for (let repeat = 0; repeat < REPEATS; repeat += 1) for (const body of messages) decode(body);
  };
  const { subjectMs, ratio } = await compare(
    { name: what, run: each(decodeWhole) },
    { name: 'floor', run: each(floor) },
  );
  const decoded = messages.length * REPEATS;
  return {
    what,
    messages: messages.length,
    microsecondsPerMessage: (subjectMs * 1000) / decoded,
    ofFloor: ratio,
  };
}

function decodeWhole(body: Buffer): void {
  if (assembleEvent([readMessage(body)]).state !== 'whole')
    throw new Error('the benchmark decodes whole events only');
}

function parseJson(body: Buffer): void {
  const { eventrow } = JSON.parse(JSON.parse(body.toString()).data);
  JSON.parse(eventrow.current);
  if (eventrow.old !== '{}') JSON.parse(eventrow.old);
}

const envelope = avsc.Type.forSchema(readSchema('change-event'));
const withoutFinalEvent = avsc.Type.forSchema(readSchema('data-without-finalevent'));
const withFinalEvent = avsc.Type.forSchema(readSchema('data-with-finalevent'));

function readSchema(name: string): avsc.Schema {
  return JSON.parse(readFileSync(new URL(`../test/cases/${name}.avsc`, import.meta.url), 'utf8'));
}

/** The images are JSON in Avro as well, so the floor parses them too. */
function parseAvro(data: avsc.Type): (body: Buffer) => void {
  return (body) => {
    const { eventrow } = data.fromBuffer(envelope.fromBuffer(body).data);
    JSON.parse(eventrow.current);
    if (eventrow.old !== '{}') JSON.parse(eventrow.old);
  };
}

function avro(generation: 'segment' | 'segment-final'): readonly Buffer[] {
  return bodies({ encoding: 'avro', generation });
}

type Choice = Partial<Pick<typeof defaultSimulationOptions, 'encoding' | 'generation'>>;

/** Unsplit messages of a simulated history. */
function bodies(choice: Choice): readonly Buffer[] {
  const options = { ...defaultSimulationOptions, ...choice, changes: 500, duplicates: 0, reorder: 0 };
  const messages = simulate(options).batches.flatMap((batch) => batch.messages);
  const all = messages.map(({ body }) => Buffer.from(body));
  return all.filter((body) => assembleEvent([readMessage(body)]).state === 'whole');
}
