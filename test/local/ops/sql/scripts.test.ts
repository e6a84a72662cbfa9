import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseRequest } from '../../../../local/ops/parseRequest.ts';
import { printSql } from '../../../../local/ops/sql/printSql.ts';

const folder = new URL('expected/', import.meta.url);
const hub = ['--namespace', 'shop', '--hub', 'ces'];
const tables = ['--database', 'shop', '--table', 'dbo.Orders', '--table', "[sales 2026].[it's ]]new]"];

/** By the name of the file with the text: what is asked for. The text is to be read, and compared with the documents. */
const scripts: Readonly<Record<string, readonly string[]>> = {
  'azure-sql.sql': ['--dialect', 'azure-sql', ...tables, ...hub],
  'fabric-sql.sql': [
    '--dialect',
    'fabric-sql',
    ...tables,
    ...hub,
    '--policy',
    'send',
    '--encoding',
    'Binary',
  ],
  'managed-instance.sql': [
    ...['--dialect', 'managed-instance', ...tables, ...hub],
    ...['--partition-scheme', 'None', '--message-kb', '1024', '--changed-columns-only'],
  ],
  'sql-server.sql': ['--dialect', 'sql-server', ...tables, ...hub],
  'sql-server-key.sql': [
    ...['--dialect', 'sql-server', ...tables, ...hub, '--auth', 'key', '--policy', 'send'],
    ...[
      '--partition-scheme',
      'Column',
      '--partition-column',
      'dbo.OrderId',
      '--group',
      'g',
      '--credential',
      'c',
    ],
  ],
  'seed.sql': ['--dialect', 'azure-sql', ...tables, '--seed', '--seed-number', '2', '--seed-rows', '500'],
  'seed-end.sql': ['--dialect', 'azure-sql', ...tables, '--seed-end'],
  'disable.sql': ['--dialect', 'azure-sql', ...tables, '--disable'],
};

export async function printed(args: readonly string[], values: Record<string, string> = {}): Promise<string> {
  const request = parseRequest(['sql', ...args]);
  assert.equal(request?.kind, 'sql');
  let text = '';
  const output = {
    write: (content: string | Uint8Array) => {
      text += String(content);
    },
  };
  await printSql(request, () => Promise.resolve(values), output);
  return text;
}

describe('the scripts', () => {
  for (const [file, args] of Object.entries(scripts)) {
    it(file, async () => {
      assert.equal(
        await printed(args),
        readFileSync(new URL(file, folder), 'utf8'),
        `the text is another one; after reading it: npm run --silent ops -- sql ${args.map((arg) => `"${arg}"`).join(' ')} > test/local/ops/sql/expected/${file}`,
      );
    });
  }

  it('are all there are', () => {
    assert.deepEqual(readdirSync(folder).toSorted(), Object.keys(scripts).toSorted());
  });

  it('are the same as data', async () => {
    const { steps } = JSON.parse(await printed([...(scripts['azure-sql.sql'] ?? []), '--json']));
    const script = readFileSync(new URL('azure-sql.sql', folder), 'utf8');
    const text = steps.map(
      ({ title, sql }: { title: string; sql: string }, index: number) =>
        `-- ${index + 1}. ${title}\n${sql}\nGO\n`,
    );
    assert.equal(script.slice(script.indexOf('-- 1. ')), text.join('\n'));
  });
});

describe('the hub', () => {
  const args = ['--dialect', 'azure-sql', '--database', 'shop', '--table', 'dbo.Orders'];
  const location = /@destination_location = N'([^']+)'/;

  it('comes from the settings of the app, of which no secret is printed', async () => {
    const named = { EventHub__fullyQualifiedNamespace: 'a-1.servicebus.windows.net', EVENT_HUB_NAME: 'h.1' };
    assert.equal(location.exec(await printed(args, named))?.[1], 'a-1.servicebus.windows.net:9093/h.1');
    const connected = {
      EventHub:
        'Endpoint=sb://b2.servicebus.windows.net/;SharedAccessKeyName=listen;SharedAccessKey=c2VjcmV0',
      EVENT_HUB_NAME: 'h',
    };
    const text = await printed([...args, '--auth', 'key', '--policy', 'send'], connected);
    assert.equal(location.exec(text)?.[1], 'b2.servicebus.windows.net:9093/h');
    assert.doesNotMatch(text, /c2VjcmV0|listen/);
  });

  it('is that of the options first', async () => {
    const values = { EventHub__fullyQualifiedNamespace: 'a1.servicebus.windows.net', EVENT_HUB_NAME: 'h' };
    const text = await printed([...args, '--namespace', 'other.servicebus.windows.net'], values);
    assert.equal(location.exec(text)?.[1], 'other.servicebus.windows.net:9093/h');
  });

  it('is asked for by name where nothing says it', async () => {
    await assert.rejects(printed(args), /EventHub__fullyQualifiedNamespace nor EventHub .* --namespace/);
    const local = { EventHub: 'Endpoint=sb://localhost;UseDevelopmentEmulator=true;', EVENT_HUB_NAME: 'h' };
    await assert.rejects(printed(args, local), /names a namespace/);
    await assert.rejects(printed([...args, '--namespace', 'ns'], {}), /^.*EVENT_HUB_NAME .* --hub/);
  });
});
