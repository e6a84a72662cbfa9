import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../../../local/ops/main.ts', import.meta.url));
const TIMEOUT_MS = 60_000;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command where there is no settings file. */
function ops(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const options = { cwd: tmpdir(), env: { PATH: process.env['PATH'], ...settings }, timeout: TIMEOUT_MS };
  const table = ['--dialect', 'azure-sql', '--database', 'shop', '--table', 'dbo.Orders'];
  execFile(process.execPath, [main, 'sql', ...table, ...args], options, (error, stdout, stderr) => {
    resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
  });
  return promise;
}

test('a script needs no settings but the hub, and those only where the options do not name it', async () => {
  const [setting, missing] = await Promise.all([
    ops([], { EventHub__fullyQualifiedNamespace: 'b1.servicebus.windows.net', EVENT_HUB_NAME: 'h' }),
    ops([]),
  ]);
  assert.deepEqual([setting.code, setting.stderr, missing.code, missing.stdout], [0, '', 2, '']);
  assert.match(setting.stdout, /@destination_location = N'b1\.servicebus\.windows\.net:9093\/h'/);
  assert.match(missing.stderr, /^[^\n]*EventHub__fullyQualifiedNamespace[^\n]*--namespace\n$/);
});
