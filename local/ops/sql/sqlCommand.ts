import { type Command, Option } from 'commander';
import { dialects } from './dialect.ts';
import {
  DEFAULT_MESSAGE_KB,
  DEFAULT_SEED_ROWS,
  LEAST_MESSAGE_KB,
  MOST_MESSAGE_KB,
  MOST_SEED_ROWS,
} from './limits.ts';
import { encodings, partitionSchemes } from './plan.ts';

/** Adds the options of `sql`. */
export function describeSql(command: Command): Command {
  const products = Object.entries(dialects).map(([name, { product }]) => `${name}: ${product}`);
  return command
    .description(
      'print the T-SQL that sets change event streaming up for this deployment, seeds, or turns it off. ' +
        'Nothing is connected to, and no secret is read or printed',
    )
    .addOption(
      new Option('--dialect <name>', products.join('; '))
        .choices(Object.keys(dialects))
        .makeOptionMandatory(),
    )
    .requiredOption('--database <name>', 'the source database; the script refuses to run in another one')
    .requiredOption(
      '--table <schema.name>',
      'as T-SQL writes it, such as dbo.Orders; can be repeated',
      gather,
    )
    .option('--group <name>', 'the stream group', 'ces-replica')
    .option('--json', 'print the steps as one JSON object: title and sql of each')
    .addOption(
      new Option('--seed', 'have the rows sent that are there already').conflicts(['seedEnd', 'disable']),
    )
    .addOption(new Option('--seed-end', 'take the column of a seed away').conflicts('disable'))
    .option('--disable', 'take the tables out, drop the group, and turn change event streaming off')
    .optionsGroup('To set it up:')
    .option('--namespace <name>', "the Event Hubs namespace; the app's, from its settings, unless given")
    .option('--hub <name>', "the event hub; the app's, from its settings, unless given")
    .addOption(
      new Option(
        '--auth <how>',
        'how SQL Server signs in to the hub; fabric-sql has key only, the others entra',
      ).choices(['entra', 'key']),
    )
    .option('--policy <name>', 'the shared access policy whose key is used, with --auth key')
    .option('--credential <name>', 'the credential to create', 'ces-replica')
    .addOption(
      new Option('--partition-scheme <scheme>', 'what decides the partition of a change')
        .choices(partitionSchemes)
        .default('Table'),
    )
    .option('--partition-column <name>', 'with the scheme Column: as CES wants it, unchecked')
    .addOption(new Option('--encoding <name>', 'of the messages').choices(encodings).default('JSON'))
    .option(
      '--message-kb <kb>',
      `size at which events are split, from ${LEAST_MESSAGE_KB} to ${MOST_MESSAGE_KB}`,
      String(DEFAULT_MESSAGE_KB),
    )
    .option(
      '--changed-columns-only',
      'updates carry the key and changed columns only: such tables cannot be seeded',
    )
    .optionsGroup('To seed:')
    .option('--seed-column <name>', 'the column to add and change', 'ces_seed')
    .option(
      '--seed-number <number>',
      'what it is set to; another one than last time sends all rows again',
      '1',
    )
    .option(
      '--seed-rows <rows>',
      `rows of one statement, up to ${MOST_SEED_ROWS}`,
      String(DEFAULT_SEED_ROWS),
    );
}

function gather(value: string, former: readonly string[] | undefined): readonly string[] {
  return [...(former ?? []), value];
}
