import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppInstance } from '../../../local/host/appInstance.ts';
import type { FunctionMetadata } from '../../../local/host/rpc.ts';

const METADATA: FunctionMetadata = {
  name: 'sweep',
  bindings: {
    timer: { type: 'timerTrigger', direction: 'in', schedule: '0 0 * * * *', useMonitor: undefined },
  },
};

describe('AppInstance', () => {
  it('keeps settings as they travel: without what JSON drops', () => {
    const app = new AppInstance(() => {});
    app.register(METADATA, () => {});
    const binding = app.functions.get('sweep')?.metadata.bindings['timer'];
    assert.deepEqual(binding, { type: 'timerTrigger', direction: 'in', schedule: '0 0 * * * *' });
  });

  it('refuses a name twice, and any function after the start', () => {
    const app = new AppInstance(() => {});
    app.register(METADATA, () => {});
    assert.throws(() => app.register(METADATA, () => {}), /already been registered/);
    app.finishStartup();
    assert.throws(
      () => app.register({ ...METADATA, name: 'late' }, () => {}),
      /only be registered during app startup/,
    );
  });

  it('refuses hooks it does not run, and runs the others until they are taken back', async () => {
    const app = new AppInstance(() => {});
    assert.throws(() => app.registerHook('other', () => {}), RangeError);

    let runs = 0;
    const remove = app.registerHook('appStart', () => {
      runs += 1;
    });
    await app.runHooks('appStart', {});
    remove();
    await app.runHooks('appStart', {});
    assert.equal(runs, 1);
  });

  it('shows each line to the hooks, which may change what the app says', () => {
    const lines: string[] = [];
    const app = new AppInstance(({ message }) => lines.push(message));
    app.registerHook('log', (context) => Object.assign(context, { message: 'changed' }));
    app.log({ level: 'information', category: 'user', message: 'of the app' });
    app.log({ level: 'information', category: 'system', message: 'of the library' });
    assert.deepEqual(lines, ['changed', 'of the library']);
  });
});
