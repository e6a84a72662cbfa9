import { fileURLToPath } from 'node:url';
import type { HubBatch } from '../hubMessage.ts';
import { readInput } from '../input/readInput.ts';

const PUBLISHED = fileURLToPath(new URL('published.jsonl', import.meta.url));

/**
 * Messages printed in the documentation of change event streaming and in demos, byte for byte, on a partition of
 * their own: an update that comes before its insert, deletes, a table that sends changed columns only. One message is
 * broken, cut off as if by something between SQL Server and the hub.
 */
export function publishedMessages(): Promise<HubBatch[]> {
  return Array.fromAsync(readInput(PUBLISHED));
}
