import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const file = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const MAIN = file('local/ops/main.ts');
/** No settings at all, and none of the folder either. */
const options = { env: { PATH: process.env['PATH'] }, cwd: file('test/cases'), timeout: 60_000 };

const ops = async (...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, [MAIN, ...args], options)).stdout;

describe('npm run ops -- explain', () => {
  it('needs no settings and no servers', async () => {
    assert.match(await ops('explain', 'segment-generation-insert.json'), /Would be written/);
  });

  it('ends well when nobody reads on', async () => {
    const child = spawn(process.execPath, [MAIN, 'explain', file('local/recording.jsonl')], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const errors: Buffer[] = [];
    child.stderr.on('data', (data: Buffer) => errors.push(data));
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    assert.deepEqual([code, Buffer.concat(errors).toString('utf8')], [0, '']);
  });

  it('is in the help, which shows only what has an effect', async () => {
    const help = await ops('--help');
    assert.match(help, /^Usage: npm run ops -- <command>$/m);
    assert.match(help, /^ {2}explain /m);
    assert.doesNotMatch(help, /help \[command\]/);
    assert.match(await ops('dead-letters', '--help'), /^Usage: npm run ops -- dead-letters <command>$/m);
  });
});
