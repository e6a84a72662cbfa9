import type { StoredItem } from '../../support/memoryProgress.ts';
import type { History, SourceChange, SourceTransaction } from './history.ts';
import type { Stores } from './instance.ts';

/** Judges the watermark and the counts by the history and by what lies in the stores, and by nothing else. */
export class Oracle {
  readonly #history: History;
  readonly #stores: Stores;
  readonly #reached = new Map<string, number>();

  constructor(history: History, stores: Stores) {
    this.#history = history;
    this.#stores = stores;
  }

  /** What is wrong with a watermark at this moment. @param assumed whether nothing was silent for too long. */
  judge(watermark: StoredItem, assumed: boolean): string[] {
    const { db, lsn } = watermark as StoredItem & { readonly db: string; readonly lsn: string | null };
    const reached = lsn === null ? 0 : Number.parseInt(lsn, 16);
    const before = this.#reached.get(db) ?? 0;
    this.#reached.set(db, reached);
    if (reached < before) return [`the watermark of ${db} goes back from ${before} to ${reached}`];
    if (!assumed) return [];
    return this.#of(db).flatMap((transaction) =>
      Number.parseInt(transaction.lsn, 16) > reached
        ? []
        : transaction.changes
            .filter((change) => !this.#isHandled(change))
            .map(
              ({ sequence }) => `${db}: ${transaction.lsn}/${sequence} lies below ${lsn} and is not applied`,
            ),
    );
  }

  /** What is wrong with a transaction that ends: its counts have to be those of the source at once. */
  judgeEnded(item: StoredItem): string[] {
    const source = this.#history.transactions.find(({ db, lsn }) => item.pkkey === `${db}:${idOf(lsn)}`);
    return source === undefined ? [`${item.pkkey} never was`] : judgeTransaction(source, [item]);
  }

  /** What is wrong when everything was delivered and enough time has passed. */
  judgeEnd(): string[] {
    const items = this.#stores.progress.items();
    const dbs = [...new Set(this.#history.transactions.map(({ db }) => db))];
    return [
      ...this.#history.transactions.flatMap((transaction) => judgeTransaction(transaction, items)),
      ...dbs.flatMap((db) => this.#judgeReached(db, items)),
      ...(items.filter(({ status }) => status !== undefined).length === this.#history.transactions.length
        ? []
        : ['transactions that never were']),
    ];
  }

  /** What is wrong with the places that rows tell when every transaction has ended. */
  judgeOrders(): string[] {
    const unnumbered = this.#stores.progress.items().filter((item) => item['unnumbered'] !== undefined);
    const places = new Map(this.#history.transactions.flatMap(placesIn));
    return [
      ...unnumbered.map(({ pkkey }) => `${pkkey} is still to be numbered`),
      ...this.#stores.store.items().flatMap(({ id, _ces: { version, transaction } }) => {
        const what = `the place of ${version} in ${id}`;
        return differ(what, transaction?.data_collection_order, places.get(`${id} ${version}`));
      }),
    ];
  }

  #judgeReached(db: string, items: readonly StoredItem[]): string[] {
    const last = this.#of(db).at(-1);
    const found = items.find((item) => item['pkkey'] === `${db}:watermark`) as
      | (StoredItem & { readonly lsn: string; readonly exceptions: { readonly reasons: object } })
      | undefined;
    const reasons = reasonsOf(this.#of(db).flatMap(({ changes }) => changes));
    return [
      ...(found?.lsn === last?.lsn ? [] : [`the watermark of ${db} is ${found?.lsn}, not ${last?.lsn}`]),
      ...differ(`exceptions of ${db}`, sorted(found?.exceptions.reasons ?? {}), reasons),
    ];
  }

  #of(db: string): readonly SourceTransaction[] {
    return this.#history.transactions.filter((transaction) => transaction.db === db);
  }

  #isHandled({ fate, itemId, version, messages }: SourceChange): boolean {
    switch (fate) {
      case 'excluded':
        return true;
      case 'row': {
        const stored = this.#stores.store.item(itemId);
        return stored !== undefined && stored._ces.version >= version;
      }
      case 'no-key':
      case 'unreadable': {
        const kept = [...this.#stores.deadLetters.letters.values()].map(({ message }) => message.body);
        return messages.every((message) => kept.some((body) => body.equals(message)));
      }
      default:
        return fate satisfies never;
    }
  }
}

function judgeTransaction({ db, lsn, changes }: SourceTransaction, items: readonly StoredItem[]): string[] {
  const id = idOf(lsn);
  const item = items.find(({ pkkey }) => pkkey === `${db}:${id}`);
  if (item === undefined) return [`${id} of ${db} is missing`];
  const telling = changes.filter(({ fate }) => fate !== 'unreadable');
  const counts = [...Map.groupBy(telling, ({ table }) => `${db}.dbo.${table}`)]
    .map(([table, some]) => ({ data_collection: table, event_count: some.length }))
    .sort((a, b) => (a.data_collection < b.data_collection ? -1 : 1));
  const highest = Math.max(...changes.map(({ sequence }) => sequence));
  return [
    ...differ(`${id} status`, item['status'], 'END'),
    ...differ(`${id} event_count`, item['event_count'], changes.length),
    ...differ(`${id} data_collections`, countsIn(item), counts),
    ...differ(`${id} missing`, item['missing_count'] ?? 0, highest - changes.length),
    ...differ(`${id} dead letters`, sorted((item['dead_letters'] as object) ?? {}), reasonsOf(changes)),
  ];
}

function countsIn(item: StoredItem): unknown {
  const collections = item['data_collections'] as readonly object[] | null;
  return collections?.map((one) => ({ ...one, total_orders: undefined }));
}

/** By the item and the version that tell them. An unreadable change does not count: nobody knows its table. */
function placesIn({ changes }: SourceTransaction): (readonly [string, number])[] {
  const telling = changes.filter(({ fate }) => fate !== 'unreadable');
  return [...Map.groupBy(telling, ({ table }) => table).values()].flatMap((some) =>
    some.map(({ itemId, version }, index) => [`${itemId} ${version}`, index + 1] as const),
  );
}

function idOf(lsn: string): string {
  return `${lsn.slice(0, 8)}:${lsn.slice(8, 16)}:${lsn.slice(16)}`.toLowerCase();
}

function reasonsOf(changes: readonly SourceChange[]): object {
  const counts: Record<string, number> = {};
  for (const { fate } of changes) {
    const reason = { 'no-key': 'no-key', unreadable: 'invalid-json' }[fate as string];
    if (reason !== undefined) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return sorted(counts);
}

function sorted(counts: object): object {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function differ(what: string, found: unknown, expected: unknown): string[] {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  return is === should ? [] : [`${what}: ${is}, not ${should}`];
}
