import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface Size {
  readonly bytes: number;
  readonly files: number;
}

/** What is in a folder and below, without the node_modules in it. */
export async function folderSize(folder: string): Promise<Size> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = await Promise.all(
    entries.map(async (entry): Promise<Size> => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? nothing : folderSize(path);
      return entry.isFile() ? { bytes: (await stat(path)).size, files: 1 } : nothing;
    }),
  );
  return sizes.reduce(add, nothing);
}

export const nothing: Size = { bytes: 0, files: 0 };

export function add(one: Size, other: Size): Size {
  return { bytes: one.bytes + other.bytes, files: one.files + other.files };
}
