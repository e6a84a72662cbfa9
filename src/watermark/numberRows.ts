import type { Deadline } from '../deadline.ts';
import { MAX_UNNUMBERED_TRANSACTIONS, NUMBERING_MS } from '../limits.ts';
import { padSequenceNumber } from '../model/sequenceNumber.ts';
import { tableText } from '../model/table.ts';
import { tellsTotalOrder } from '../model/transaction.ts';
import type { Version } from '../model/version.ts';
import type { ReplicaStore } from '../replica/replicaStore.ts';
import type { FoundRow, RowFinder } from '../replica/rowFinder.ts';
import { type OrderedRow, writeOrders } from '../replica/writeOrders.ts';
import type { Commit } from '../transactions/commit.ts';
import type { Tracking } from '../transactions/tracking.ts';
import { fromTransactionItem, toTransactionItem } from '../transactions/transactionItem.ts';
import { type Numbering, numberingOf } from './numbering.ts';
import { type Portion, portionsOf } from './portions.ts';

/** What a run wrote for one database. */
export interface NumberingReport {
  readonly db: string;
  /** Rows that were given their place. */
  readonly rows: number;
  /** Transactions all of whose rows have one now. */
  readonly transactions: number;
  /** What ended the run of this database early: an OutageError when Cosmos DB does not tell of transactions or rows. */
  readonly failure?: unknown;
}

interface Replica {
  readonly store: ReplicaStore;
  readonly finder: RowFinder;
  readonly tracking: Tracking;
  readonly settings: { readonly tombstoneSeconds: number };
}

/**
 * Gives the rows of transactions that have ended their `data_collection_order`, those first that were committed first.
 * Whatever a run leaves, because of a failure or for want of time, the next one does: a transaction is marked until all
 * of its rows have their place. What cannot be done now holds up neither other transactions nor other databases.
 * @param before only transactions that ended before this time, in milliseconds: a run that comes later sees every write
 * to their rows.
 */
export async function numberRows(
  replica: Replica,
  databases: readonly string[],
  before: number,
  deadline: Deadline,
): Promise<readonly NumberingReport[]> {
  const reports: NumberingReport[] = [];
  const started = performance.now();
  for (const [index, db] of databases.entries()) {
    const until = started + ((index + 1) * NUMBERING_MS) / databases.length;
    const run = new Run(replica, db, deadline, until);
    try {
      await run.all(before);
      reports.push(run.report());
    } catch (failure) {
      reports.push({ ...run.report(), failure });
    }
  }
  return reports;
}

class Run {
  readonly #replica: Replica;
  readonly #db: string;
  readonly #deadline: Deadline;
  readonly #until: number;
  #rows = 0;
  #transactions = 0;

  constructor(replica: Replica, db: string, deadline: Deadline, until: number) {
    this.#replica = replica;
    this.#db = db;
    this.#deadline = deadline;
    this.#until = until;
  }

  async all(before: number): Promise<void> {
    const { tracking } = this.#replica;
    const most = MAX_UNNUMBERED_TRANSACTIONS;
    let after: Commit | undefined;
    do {
      const found = await tracking.store.unnumbered(this.#db, most, after, this.#deadline.signal);
      await this.#number(found.flatMap((item) => numberingOf(item, before) ?? []));
      // Those after them come also when none of these could be done.
      after = found.length < most ? undefined : fromTransactionItem(found.at(-1)?.stored)?.commit;
    } while (after !== undefined && performance.now() < this.#until);
  }

  report(): NumberingReport {
    return { db: this.#db, rows: this.#rows, transactions: this.#transactions };
  }

  async #number(due: readonly Numbering[]): Promise<void> {
    for (const { parts } of portionsOf(due)) {
      if (performance.now() >= this.#until) break;
      // After a part with rows that are left nothing more of its transaction is done: it goes on from there.
      const going = parts.filter(({ numbering }) => !numbering.stuck);
      if (going.length === 0) continue;
      const stuck = await this.#numberPortion({ parts: going });
      for (const { numbering, to } of going) {
        if (stuck.has(numbering)) numbering.stuck = true;
        else numbering.from = to + 1;
      }
      await this.#note(going.map(({ numbering }) => numbering).filter(isComplete));
    }
    await this.#note(due.filter((one) => one.from > one.began && !isComplete(one)));
  }

  /** @returns those with rows that do not have their place. */
  async #numberPortion({ parts }: Portion): Promise<ReadonlySet<Numbering>> {
    const { store, finder, settings } = this.#replica;
    const byCommit = new Map<string, Numbering>(parts.map(({ numbering }) => [numbering.commit, numbering]));
    const ranges = parts.map(({ numbering: { commit }, from, to }) => ({
      from: versionAt(commit, from),
      to: versionAt(commit, to),
    }));
    const stuck = new Set<Numbering>();
    for (const container of finder.containers) {
      for await (const page of finder.find(container, this.#db, ranges, this.#deadline.signal)) {
        const rows = page.flatMap((row) => toOrder(row, byCommit) ?? []);
        const done = await writeOrders(rows, container, store, this.#deadline, settings.tombstoneSeconds);
        this.#rows += done.written;
        for (const { version } of done.left) {
          const numbering = byCommit.get(commitIn(version));
          if (numbering !== undefined) stuck.add(numbering);
        }
      }
    }
    return stuck;
  }

  /** One that has begun again meanwhile stays as it is, and is marked anew when it ends. */
  async #note(numberings: readonly Numbering[]): Promise<void> {
    if (numberings.length === 0) return;
    const { store, options } = this.#replica.tracking;
    const outcomes = await store.execute(
      numberings.map((numbering) => {
        const unnumberedFrom = isComplete(numbering) ? undefined : numbering.from;
        const item = toTransactionItem({ ...numbering.tracked, unnumberedFrom }, options);
        return { kind: 'replace', id: item.id, pkkey: item.pkkey, item, etag: numbering.etag };
      }),
      this.#deadline.signal,
    );
    this.#transactions += numberings.filter(
      (numbering, index) => outcomes[index]?.kind === 'ok' && isComplete(numbering),
    ).length;
  }
}

function isComplete({ from, arrived }: Numbering): boolean {
  return from > arrived.highest;
}

const COMMIT_LENGTH = '0000:00000000000000000000'.length;

function commitIn(version: Version): string {
  return version.slice(0, COMMIT_LENGTH);
}

function versionAt(commit: string, number: number): Version {
  return `${commit}:${padSequenceNumber(String(number))}` as Version;
}

/** Undefined for a row that tells its place already, as those of Debezium do, or whose change is not known to have come. */
function toOrder(
  { id, table, version, dataCollectionOrder = 0 }: FoundRow,
  byCommit: ReadonlyMap<string, Numbering>,
): OrderedRow | undefined {
  if (!tellsTotalOrder(version)) return undefined;
  const sequences = byCommit.get(commitIn(version))?.byTable.get(tableText(table));
  const order = sequences?.placeOf(Number(version.slice(COMMIT_LENGTH + 1)));
  return order === undefined || order <= dataCollectionOrder ? undefined : { id, table, version, order };
}
