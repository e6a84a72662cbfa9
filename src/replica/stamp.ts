import type { Brand } from '../model/brand.ts';
import { parseVersion, type Version } from '../model/version.ts';

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

/** As an item writes it: the version, and `:0` behind it where a delete set it. */
export type StampText = Version | Stamp;

export function stampText(stamp: Stamp): StampText {
  return isDeleteStamp(stamp) ? stamp : versionOfStamp(stamp);
}

/** Reads a stamp back from a stored item; undefined when it is not one. */
export function parseStampText(text: unknown): Stamp | undefined {
  if (typeof text !== 'string') return undefined;
  // A version ends in at least ten digits, so it never ends in this.
  const isDelete = text.endsWith(DELETE_ENDING);
  const version = parseVersion(isDelete ? text.slice(0, -DELETE_ENDING.length) : text);
  return version === undefined ? undefined : stampOf(version, isDelete);
}

const DELETE_ENDING = ':0';

export function isDeleteStamp(stamp: Stamp): boolean {
  return stamp.endsWith(':0');
}
