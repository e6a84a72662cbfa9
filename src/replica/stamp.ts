import type { Brand } from '../model/brand.ts';
import type { Version } from '../model/version.ts';

/**
 * What decides between two values: a version, and below it whether a delete set it. At equal versions a delete
 * sorts before an insert or update of the same key, since a row that is deleted and written anew in one event
 * exists afterwards. Compared as text.
 */
export type Stamp = Brand<string, 'Stamp'>;

export function stampOf(version: Version, isDelete: boolean): Stamp {
  return `${version}:${isDelete ? 0 : 1}` as Stamp;
}

export function versionOfStamp(stamp: Stamp): Version {
  return stamp.slice(0, -2) as Version;
}

export function isDeleteStamp(stamp: Stamp): boolean {
  return stamp.endsWith(':0');
}
