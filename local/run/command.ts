import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { defaultSimulationOptions, MAX_CHANGES } from '../simulation/options.ts';
import { UserError } from './userError.ts';

const BUILT_APP = fileURLToPath(new URL('../../dist/index.cjs', import.meta.url));
const defaults = defaultSimulationOptions;

/** The options of the command line, for the parser and for `--help`. Choices are checked, numbers made numbers. */
export function makeCommand(): Command {
  return new Command('npm run local --')
    .usage('[options]')
    .description(
      'Runs the function app against stand-ins for Cosmos DB and Blob storage in memory: plays the recording that ' +
        'comes with the project, your own messages (--from) or a simulated source (--simulate), and shows the result.',
    )
    .addOption(
      new Option(
        '--from <path>',
        'messages to play: one of CES or Debezium, a recording (.jsonl), an Event Hubs Capture file, or a folder of them',
      ).conflicts('simulate'),
    )
    .addOption(number('--simulate <changes>', `simulate so many row changes, up to ${MAX_CHANGES}`))
    .option('--config <file>', 'per-table choices: a document of REPLICA_CONFIG (docs/replica-config.md)')
    .option('--transactions', 'track transactions, and show them and how far the replica is complete')
    .option('--keep', 'leave the servers up after the run and print how to connect')
    .option('--json', 'print the summary as one JSON object')
    .addOption(new Option('--bundle <file>', 'the built function app').default(BUILT_APP, 'dist/index.cjs'))
    .optionsGroup('For --simulate:')
    .addOption(number('--seed <number>', 'everything random follows from it', defaults.seed))
    .addOption(number('--partitions <number>', 'partitions of the event hub', defaults.partitions))
    .addOption(
      choice(
        '--format <name>',
        'what tells of the changes: ces, debezium (with keys made for REPLICA_CONFIG unless --config is given) or both',
        ['ces', 'debezium', 'mixed'],
        defaults.format,
      ),
    )
    .addOption(
      choice('--encoding <name>', 'encoding of messages', ['json', 'avro', 'mixed'], defaults.encoding),
    )
    .addOption(
      choice(
        '--generation <name>',
        'generation of messages: older ones differ in their segment fields',
        ['split', 'segment', 'segment-final', 'mixed'],
        defaults.generation,
      ),
    )
    .addOption(
      choice('--first-index <index>', 'index of the first segment', ['0', '1'], String(defaults.firstIndex)),
    )
    .addOption(
      choice(
        '--scheme <name>',
        'what decides the partition: none is round robin, column the primary key',
        ['none', 'streamGroup', 'table', 'column'],
        defaults.partitionScheme,
      ),
    )
    .addOption(number('--segment-bytes <bytes>', 'most data in one message', defaults.segmentBytes))
    .addOption(
      number(
        '--large-value-bytes <bytes>',
        'adds a table with ten columns of texts this long: its rows do not fit into an item',
        defaults.largeValueBytes,
      ),
    )
    .option('--changed-columns-only', 'updates carry the key and changed columns only')
    .option('--no-old-values', 'updates do not carry the old row')
    .addOption(
      choice(
        '--key-changes <name>',
        'how a changed primary key is told',
        ['delete-insert', 'update'],
        defaults.keyChanges,
      ),
    )
    .addOption(
      choice(
        '--json-data <name>',
        'JSON data as text, or one character for each byte',
        ['text', 'latin1'],
        defaults.jsonData,
      ),
    )
    .addOption(
      number('--duplicates <share>', 'share of messages that come again, 0 to 1', defaults.duplicates),
    )
    .addOption(number('--reorder <share>', 'how far messages get out of order, 0 to 1', defaults.reorder))
    .addOption(number('--batch-size <messages>', 'most messages of a batch', defaults.batchSize))
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ outputError: () => {} });
}

function number(flags: string, description: string, standard?: number): Option {
  const option = new Option(flags, description).argParser(toNumber(flags));
  return standard === undefined ? option : option.default(standard);
}

function choice(flags: string, description: string, choices: readonly string[], standard: string): Option {
  return new Option(flags, description).choices(choices).default(standard);
}

function toNumber(flags: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value)) return value;
    throw new UserError(`${flags}: '${oneLine(text)}' is not a number`);
  };
}

/** A message of the parser, or text of the user, on one line. */
export function oneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '');
}
