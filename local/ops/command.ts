import { Command, Option } from 'commander';
import { DEFAULT_LISTED, MAX_LISTED } from './limits.ts';
import type { Request } from './request.ts';
import { describeSql } from './sql/sqlCommand.ts';

/** Names and values of the options as the parser gives them, not checked yet. */
export type Flags = Readonly<Record<string, unknown>>;

export type Chosen = (kind: Request['kind'], names: readonly string[], flags: Flags) => void;

/** The command line, for the parser and for `--help`. `chosen` is called with what was asked for. */
export function makeCommand(chosen: Chosen): Command {
  const program = new Command('npm run ops --')
    .description('Looks after the function app, with the settings that the app itself has.')
    .usage('<command>')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });
  const letters = program
    .command('dead-letters')
    .usage('<command>')
    .helpCommand(false)
    .description('messages that were put aside, since they could never succeed as they were');

  filtered(letters.command('list'))
    .description('show what was put aside, where it came from, and why')
    .option('--limit <letters>', `most letters to show, up to ${MAX_LISTED}`, String(DEFAULT_LISTED))
    .option('--after <name>', 'go on after this one')
    .option('--json', 'print one JSON object')
    .action((flags: Flags) => chosen('list', [], flags));

  withSettings(letters.command('show'))
    .description('show one with the meaning of its reason, what to do, and its envelope')
    .argument('<name>', 'as list shows it')
    .addOption(new Option('--json', 'print one JSON object').conflicts('body'))
    .option('--body', 'give the bytes of the message as it was received, row values included')
    .action((name: string, flags: Flags) => chosen('show', [name], flags));

  selecting(letters.command('replay'))
    .description(
      'put messages through the pipeline again; each is removed once its result is durable. Messages older than ' +
        'tombstones get are applied only to items that exist',
    )
    .option('--create', 'create missing items also for old messages: rows that were deleted since come back')
    .option('--json', 'print one JSON object')
    .action((names: readonly string[], flags: Flags) => chosen('replay', names, flags));

  selecting(letters.command('discard'))
    .description('remove messages for good')
    .option('--yes', 'do not ask')
    .action((names: readonly string[], flags: Flags) => chosen('discard', names, flags));

  withSettings(program.command('explain'))
    .description(
      'show what messages mean: envelope, segments, table, key, every column with its value, what the configuration ' +
        'does to it, and what would be written. Connects to nothing',
    )
    .argument('<path>', 'a message as it was received, a recording, a capture file, or a folder of them')
    .option('--config <file>', 'a document instead of the setting REPLICA_CONFIG')
    .option('--json', 'print one JSON object')
    .action((path: string, flags: Flags) => chosen('explain', [path], flags));
  withSettings(describeSql(program.command('sql'))).action((flags: Flags) => chosen('sql', [], flags));
  return program;
}

function selecting(command: Command): Command {
  return filtered(command).argument('[names...]', 'as list shows them').option('--all', 'all there are');
}

function filtered(command: Command): Command {
  return withSettings(command)
    .option('--code <code>', 'only those of this reason')
    .option('--day <yyyy-mm-dd>', 'only those enqueued on this day')
    .option('--table <db.schema.name>', 'only those of this table');
}

function withSettings(command: Command): Command {
  return command
    .option(
      '--settings <file>',
      'file with app settings, as Core Tools or az list them; local.settings.json where there is one',
    )
    .allowExcessArguments(false);
}
