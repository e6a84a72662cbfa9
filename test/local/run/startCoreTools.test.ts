import assert from 'node:assert/strict';
import { chmod, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { startCoreTools } from '../../../local/run/startCoreTools.ts';
import { UserError } from '../../../local/run/userError.ts';
import { temporaryFolder } from '../input/temporaryFolder.ts';

const onPosix = { skip: process.platform === 'win32' ? 'the stand-in for func is a shell script' : false };

function userError(message: RegExp): (error: unknown) => boolean {
  return (error) =>
    error instanceof UserError && message.test(error.message) && !error.message.includes('\n');
}

test('without func it says what that is, how to get it, and what works without it', async (t) => {
  const folder = await temporaryFolder(t);
  const run = startCoreTools({ folder, args: [], path: folder });
  await assert.rejects(
    run,
    userError(/Core Tools.*npm install -g azure-functions-core-tools@4.*npm run local/),
  );
});

test('without settings it says where they come from', onPosix, async (t) => {
  const tools = await temporaryFolder(t, { func: '#!/bin/sh\n' });
  await chmod(join(tools, 'func'), 0o755);
  const run = startCoreTools({ folder: await temporaryFolder(t), args: [], path: tools });
  await assert.rejects(run, userError(/copy local\.settings\.json\.example/));
});

test(
  'func start runs in the folder of the app with the arguments, and its exit code is passed on',
  onPosix,
  async (t) => {
    const script = '#!/bin/sh\necho "$@" > arguments.txt\nexit 7\n';
    const tools = await temporaryFolder(t, { func: script });
    await chmod(join(tools, 'func'), 0o755);
    const folder = await temporaryFolder(t, { 'local.settings.json': '{}' });
    const path = ['', join(tools, 'none'), tools].join(delimiter);
    assert.equal(await startCoreTools({ folder, args: ['--port', '7072'], path }), 7);
    assert.equal(await readFile(join(folder, 'arguments.txt'), 'utf8'), 'start --port 7072\n');
  },
);
