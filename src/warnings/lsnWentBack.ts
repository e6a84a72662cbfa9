import { LSN_BACK_MINUTES, WATCHED_DATABASES } from '../limits.ts';
import { isSnapshot } from '../model/position.ts';
import type { ObservedRow, Position } from './observed.ts';
import { RecentMap } from './recentMap.ts';
import type { Warning } from './warnings.ts';

/**
 * Watches for changes that were committed later than another change of their database although their LSN is lower.
 * In one log that cannot be, however late a message arrives: a message that comes late has an early time too. It is
 * what a restored database looks like. The other change is the newest that this process has seen of the database, or
 * the one that the replica had of the row, which tells a process that has just started as well.
 */
export class LsnWentBack {
  readonly #newest = new RecentMap<Position>(WATCHED_DATABASES);

  observe(rows: readonly ObservedRow[]): readonly Warning[] {
    const found = new Map<string, Warning>();
    for (const { changes, before } of rows) {
      for (const { change, position } of changes) {
        // A snapshot is taken late and sorts before everything.
        if (isSnapshot(change.position)) continue;
        const { db } = change.table;
        const newest = this.#newest.get(db);
        if (wentBack(position, newest) || wentBack(position, before)) {
          found.set(db, { code: 'lsn-went-back', subject: db, detail: `LSN ${change.position.lsn}` });
        }
        if (newest === undefined || position.stamp > newest.stamp) this.#newest.set(db, position);
      }
    }
    return [...found.values()];
  }
}

function wentBack(position: Position, newer: Position | undefined): boolean {
  if (newer === undefined || position.stamp >= newer.stamp) return false;
  const later = Date.parse(position.time ?? '') - Date.parse(newer.time ?? '');
  return later > LSN_BACK_MINUTES * 60_000;
}
