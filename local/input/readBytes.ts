import { open } from 'node:fs/promises';
import { unreadable } from './inputError.ts';

/**
 * Up to `length` bytes of a file from `position`; fewer where the file ends earlier.
 *
 * @throws {InputError} if the file cannot be read
 */
export async function readBytes(path: string, position: number, length: number): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}
