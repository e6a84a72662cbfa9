import { WATCHED_DATABASES, WATCHED_STREAM_GROUPS } from '../limits.ts';
import type { ObservedRow } from './observed.ts';
import { RecentMap } from './recentMap.ts';
import type { Warning } from './warnings.ts';

/**
 * Watches for stream groups that are new to a database. The first one a process sees of a database says nothing:
 * it may have been there all the time.
 */
export class StreamGroups {
  readonly #databases = new RecentMap<RecentMap<true>>(WATCHED_DATABASES);

  observe(rows: readonly ObservedRow[]): readonly Warning[] {
    return rows.flatMap(({ changes }) =>
      changes.flatMap(({ change: { table, position } }) =>
        position.streamGroup === undefined ? [] : this.#see(table.db, position.streamGroup),
      ),
    );
  }

  #see(db: string, streamGroup: string): readonly Warning[] {
    const known = this.#databases.get(db);
    const groups = known ?? new RecentMap<true>(WATCHED_STREAM_GROUPS);
    const isNew = !groups.has(streamGroup);
    groups.set(streamGroup, true);
    this.#databases.set(db, groups);
    if (known === undefined || !isNew) return [];
    return [{ code: 'new-stream-group', subject: db, detail: `stream group ${streamGroup}` }];
  }
}
