import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalServers } from '../local/run/localServers.ts';
import { type LargeBatch, largeMessages } from './largeMessages.ts';

interface Load extends LargeBatch {
  readonly what: string;
  /** Batches that the messages come in, in turn: with 2, one has the first segments and one the last. */
  readonly batches: 1 | 2;
}

export interface MemoryResult extends Load {
  /** Bytes of a batch, in MB. */
  readonly batchMb: number;
  /** Memory of the process when the messages lie in it and nothing has been done, in MB. */
  readonly beforeMb: number;
  /** Most memory of the process, in MB; undefined when it ran out. */
  readonly peakMb: number | undefined;
  /** Most of the JavaScript heap that was seen in use, in MB. */
  readonly heapMb: number | undefined;
  readonly fits: boolean;
}

/** What a child process reports, in bytes. */
export interface MemoryReport {
  readonly before: number;
  readonly peak: number;
  readonly heap: number;
}

const MESSAGES = 100;
/** Memory is measured, not speed. */
const DEADLINE_S = 240;
/** Heap limit of the worker on an instance of 2 GB, in MB. */
const HEAP_LIMIT_MB = 1_400;
/** What an instance of 2 GB has for the worker, in MB; the rest is the host's. */
const WORKER_MB = 1_500;

export const encodings = ['json', 'avro'] as const;

function loadsOf(encoding: (typeof encodings)[number]): readonly Load[] {
  const one = { encoding, messages: MESSAGES, batches: 1 } as const;
  return [
    { ...one, what: `${encoding}, whole events`, segments: 1 },
    { ...one, what: `${encoding}, events of 2 segments`, segments: 2 },
    { ...one, what: `${encoding}, one event of ${MESSAGES} segments`, segments: MESSAGES },
    {
      what: `${encoding}, last segments of ${MESSAGES} parked events`,
      encoding,
      segments: 2,
      messages: 2 * MESSAGES,
      batches: 2,
    },
  ];
}

/** Peak memory of the function with a batch of the largest messages, each in a process of its own. */
export async function benchMemory(
  some: readonly (typeof encodings)[number][],
): Promise<readonly MemoryResult[]> {
  const results: MemoryResult[] = [];
  for (const load of some.flatMap(loadsOf)) results.push(await measure(load));
  return results;
}

async function measure(load: Load): Promise<MemoryResult> {
  const servers = await startLocalServers(false);
  const folder = await mkdtemp(join(tmpdir(), 'memory-'));
  try {
    const bodies = largeMessages(load);
    await Promise.all(bodies.map((body, index) => writeFile(join(folder, String(index)), body)));
    const report = await run(folder, load, {
      ...servers.environment,
      BATCH_DEADLINE_SECONDS: String(DEADLINE_S),
    });
    const peakMb = report && toMb(report.peak);
    return {
      ...load,
      batchMb: toMb(bodies.reduce((sum, { length }) => sum + length, 0) / load.batches),
      beforeMb: toMb(report?.before ?? 0),
      peakMb,
      heapMb: report && toMb(report.heap),
      fits: peakMb !== undefined && peakMb <= WORKER_MB,
    };
  } finally {
    await rm(folder, { recursive: true });
    await servers.close();
  }
}

/** @returns undefined when the process ended without a report. */
function run(
  folder: string,
  { messages, batches }: Load,
  environment: Readonly<Record<string, string>>,
): Promise<MemoryReport | undefined> {
  const child = fork(
    new URL('memoryChild.ts', import.meta.url),
    [folder, String(messages), String(batches)],
    {
      env: { ...process.env, ...environment },
      execArgv: [`--max-old-space-size=${HEAP_LIMIT_MB}`],
    },
  );
  let report: MemoryReport | undefined;
  child.on('message', (message) => {
    report = message as MemoryReport;
  });
  return new Promise((resolve) => child.on('exit', () => resolve(report)));
}

function toMb(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
