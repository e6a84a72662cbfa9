import { BlobServiceClient } from '@azure/storage-blob';
import { readParkedName } from '../../src/parking/parkedName.ts';
import { blobContainers } from '../../src/settings/blobContainers.ts';
import type { LocalServers } from './localServers.ts';

/** What is in the Blob containers after a run. */
export interface LeftBlobs {
  /** Events that wait for their other segments. */
  readonly parkedEvents: number;
  /** Segments of these events. */
  readonly parkedSegments: number;
  readonly deadLetters: number;
  /** Dead letters by reason code. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** Counts the blobs themselves, whatever the function reported. */
export async function readBlobs({ settings }: Pick<LocalServers, 'settings'>): Promise<LeftBlobs> {
  const service = BlobServiceClient.fromConnectionString(settings.BLOB_CONNECTION_STRING);
  const parked = groupsOf(await namesIn(service, blobContainers.parked));
  const letters = Map.groupBy(await namesIn(service, blobContainers.deadLetters), reasonOf);
  return {
    parkedEvents: parked.length,
    parkedSegments: parked.reduce((sum, segments) => sum + segments, 0),
    deadLetters: letters.values().reduce((sum, names) => sum + names.length, 0),
    reasons: Object.fromEntries([...letters].sort().map(([reason, names]) => [reason, names.length])),
  };
}

async function namesIn(service: BlobServiceClient, container: string): Promise<string[]> {
  const names: string[] = [];
  // The iterator asks for the next page by itself.
  for await (const { name } of service.getContainerClient(container).listBlobsFlat()) names.push(name);
  return names;
}

/** Number of segments of every event that has some parked; the notes of applied events are none. */
function groupsOf(names: readonly string[]): number[] {
  const segments = names.filter((name) => typeof readParkedName(name) === 'object');
  return [...Map.groupBy(segments, (name) => name.slice(0, name.lastIndexOf('/'))).values()].map(
    (group) => group.length,
  );
}

/** The second part of `<day>/<reason code>/<message>`. */
function reasonOf(name: string): string {
  return name.split('/')[1] ?? 'unknown';
}
