import { KEY_VARIABLE } from './credentialStep.ts';
import { dialects } from './dialect.ts';
import type { Plan } from './plan.ts';
import type { Step } from './step.ts';

/** A script for sqlcmd and the like: a batch for each step. */
export function renderScript(plan: Plan, steps: readonly Step[]): string {
  const batches = steps.map(({ title, sql }, index) => `-- ${index + 1}. ${title}\n${sql}\nGO\n`);
  return [...header(plan).map((line) => `-- ${line}`.trimEnd()), '', batches.join('\n')].join('\n');
}

const titles: Readonly<Record<Plan['kind'], string>> = {
  'set-up': 'Sets change event streaming up',
  seed: 'Sends rows that are there already through change event streaming',
  'seed-end': 'Takes the column of a seed away',
  disable: 'Turns change event streaming off',
};

function header(plan: Plan): string[] {
  return [
    `${titles[plan.kind]}: database ${plan.database}, ${dialects[plan.dialect].product}.`,
    `Run it connected to that database: sqlcmd -b -d <database> -i <this file>${keyHint(plan)}`,
    'Every step checks what it did and ends in an error otherwise. It can be run again: what is done stays as it is.',
    ...more(plan),
  ];
}

function keyHint(plan: Plan): string {
  return plan.kind === 'set-up' && plan.authentication.kind === 'key'
    ? `, with ${KEY_VARIABLE} in the environment`
    : '';
}

function more(plan: Plan): string[] {
  switch (plan.kind) {
    case 'set-up':
      return [
        'CES sends no row that is there already, and has no statement that would: ops sql --seed makes one.',
        'The hub must have a public endpoint that the server reaches on port 9093, and be of Standard tier or higher.',
      ];
    case 'seed':
      return [
        'Rows that were deleted before CES was enabled and are in the replica all the same are not removed by this.',
        'Every row is changed: its rowversion changes, and triggers run. Columns that CES leaves out are not sent.',
        'Whether an unchanged LOB value is in an update is not documented: compare some rows of the replica afterwards.',
        `The replica's rows get ${plan.column}, too. ops sql --seed-end takes it from the tables again.`,
      ];
    case 'seed-end':
    case 'disable':
      return [];
    default:
      return plan satisfies never;
  }
}
