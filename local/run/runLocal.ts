import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SettingName } from '../../src/settings/settingsCatalogue.ts';
import { MAX_PARTITIONS } from '../simulation/options.ts';
import { type Choices, readChoices } from './choices.ts';
import { compareChosen } from './compareChosen.ts';
import { FunctionLog } from './functionLog.ts';
import { connectionLines, untilSignal } from './keepServers.ts';
import { type LocalServers, startLocalServers } from './localServers.ts';
import { type MessageSource, openSource } from './messageSource.ts';
import type { RunOptions } from './options.ts';
import { type Played, playMessages } from './playMessages.ts';
import { summaryLines, verdictLines } from './printSummary.ts';
import { type Progress, silentProgress, visibleProgress } from './progress.ts';
import { readBlobs } from './readBlobs.ts';
import { readReplica } from './readReplica.ts';
import { readTransactions } from './readTransactions.ts';
import { rowTables } from './rowTable.ts';
import type { StoredItem } from './storedItem.ts';
import { countTables, countTransactions, type Summary } from './summary.ts';
import { UserError } from './userError.ts';

/**
 * One run: messages through the function into fresh servers, and what came of it on standard output.
 * @returns the exit code: 1 when the replica of a simulated source differs from it
 * @throws UserError or InputError for what the user can put right; BatchFailed
 */
export async function runLocal(options: RunOptions): Promise<0 | 1> {
  const bundle = resolve(options.bundle);
  if (!existsSync(bundle)) {
    throw new UserError(
      `${options.bundle} is missing; npm run build makes it, and npm run local does so by itself`,
    );
  }
  const choices = options.config === undefined ? undefined : readChoices(options.config, process.env);
  const source = await openSource(options);
  const progress = options.json ? silentProgress : visibleProgress();
  const servers = await progress.step('Start Cosmos DB and Blob storage in memory', () =>
    startLocalServers(options.keep, {
      ...(choices?.environment ?? source.settings),
      ...trackingOf(options),
    }),
  );
  try {
    const { summary, items } = await play(source, servers, { bundle, choices }, progress);
    if (options.json) printJson(options.keep ? { ...summary, settings: servers.settings } : summary);
    else printText(summary, items, source, options);
    if (options.keep) await keep(servers, options);
    return (summary.comparison?.differenceCount ?? 0) === 0 ? 0 : 1;
  } finally {
    await servers.close();
  }
}

/** Silence that is waited for at the end, in seconds: what has been played is all there is. */
const IDLE_S = '1';

function trackingOf({ transactions, source }: RunOptions): Readonly<Partial<Record<SettingName, string>>> {
  if (transactions === 'off') return {};
  // A recording does not say how many partitions its hub has.
  const partitions = source.kind === 'simulation' ? source.options.partitions : MAX_PARTITIONS;
  return {
    TRANSACTIONS: transactions,
    TRANSACTION_IDLE_SECONDS: IDLE_S,
    HUB_PARTITIONS: String(partitions),
  };
}

async function play(
  source: MessageSource,
  servers: LocalServers,
  { bundle, choices }: { readonly bundle: string; readonly choices: Choices | undefined },
  progress: Progress,
): Promise<{ readonly summary: Summary; readonly items: readonly StoredItem[] }> {
  const log = new FunctionLog();
  const title = `Play ${source.name} through the function`;
  const played = await progress.step(title, (retitle) =>
    playMessages(servers, log, {
      bundle,
      batches: source.batches,
      concurrency: source.concurrency,
      onMessages: (messages) => retitle(`${title}: ${messages.toLocaleString('en-US')} messages`),
    }),
  );
  const [items, blobs, tracked] = await progress.step('Read the replica back', () =>
    Promise.all([readReplica(servers), readBlobs(servers), readTransactions(servers)]),
  );
  const withOrder = servers.environment['TRANSACTIONS'] === 'on-with-order';
  const summary = {
    ...summaryOf(source, played, log),
    blobs,
    tables: countTables(items),
    ...(tracked.transactions.length > 0 && {
      transactions: countTransactions(tracked, withOrder ? items : undefined),
    }),
    ...(choices?.placeholderSalt === true && { placeholderSalt: true as const }),
  };
  const { simulation } = source;
  if (simulation === undefined) return { summary, items };
  const comparison = await progress.step('Compare it with the source, row by row', async () =>
    compareChosen(simulation.tables, items, choices?.settings.rules, withOrder),
  );
  return { summary: { ...summary, simulation: simulation.statistics, ...comparison }, items };
}

function summaryOf(
  source: MessageSource,
  played: Played,
  log: FunctionLog,
): Omit<Summary, 'blobs' | 'tables'> {
  return {
    source: source.name,
    totals: log.totals(),
    ...played,
    skippedFiles: source.skipped.length,
    log: { lines: log.lines, count: log.lineCount },
  };
}

function printJson(summary: Summary): void {
  console.log(JSON.stringify(summary, null, 2));
}

/** Width of what is printed where there is no terminal, in characters. */
const DEFAULT_WIDTH = 110;
/** Skipped files that are listed one by one. */
const MAX_SKIPPED = 10;

function printText(
  summary: Summary,
  items: readonly StoredItem[],
  { skipped }: MessageSource,
  { keep, source }: RunOptions,
): void {
  const more = skipped.length - MAX_SKIPPED;
  const lines = [
    ...skipped.slice(0, MAX_SKIPPED).map(({ path, reason }) => `Skipped ${path}: ${reason}`),
    ...(more > 0 ? [`Skipped ${more} more files`] : []),
    ...summaryLines(summary),
    ...rowTables(items, process.stdout.columns ?? DEFAULT_WIDTH),
    ...verdictLines(summary),
    '',
    ...(source.kind === 'recording' && source.bundled && !keep ? NEXT_STEPS : []),
  ];
  console.log(lines.join('\n').trimEnd());
}

const NEXT_STEPS = [
  'Next: npm run local -- --simulate 2000 checks a simulated SQL Server row by row, --from <path> plays your own',
  'messages, --keep leaves the servers up, --help lists the rest. The function itself reads from src/pipeline.ts.',
];

async function keep(servers: LocalServers, { json }: RunOptions): Promise<void> {
  const ended = untilSignal();
  if (!json) console.log(['', ...connectionLines(servers)].join('\n'));
  await ended;
}
