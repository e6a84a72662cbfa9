import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findBicep } from '../../../local/bicep/findBicep.ts';
import { UserError } from '../../../local/run/userError.ts';
import { withoutBicep } from '../../support/bicep.ts';

describe('findBicep', { skip: process.platform === 'win32' && 'the stand-ins are shell scripts' }, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'find-bicep-'));
  });
  after(() => rm(folder, { recursive: true }));

  /** A machine with these programs, by their path from its root, and nothing else. */
  async function machine(name: string, programs: Readonly<Record<string, string>>): Promise<Machine> {
    const root = join(folder, name);
    for (const [path, script] of Object.entries(programs)) {
      await mkdir(join(root, path, '..'), { recursive: true });
      await writeFile(join(root, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    const environment = {
      PATH: join(root, 'path'),
      AZURE_CONFIG_DIR: join(root, 'azure'),
      AZD_CONFIG_DIR: join(root, 'azd'),
    };
    return { root, environment, find: () => findBicep(environment, join(root, 'cache')) };
  }

  interface Machine {
    readonly root: string;
    readonly environment: NodeJS.ProcessEnv;
    readonly find: () => string;
  }

  const version = (number: string): string => `echo "Bicep CLI version ${number} (0123456789)"`;

  it('takes the one on PATH first', async () => {
    const { root, find } = await machine('path-first', {
      'path/bicep': version('0.49.2'),
      'azure/bin/bicep': version('0.50.1'),
    });
    assert.equal(find(), join(root, 'path/bicep'));
  });

  it('takes what az or azd brought', async () => {
    const withAz = await machine('az', {
      'azure/bin/bicep': version('1.0.0'),
      'azd/bin/bicep': version('1.0.0'),
    });
    assert.equal(withAz.find(), join(withAz.root, 'azure/bin/bicep'));
    const withAzd = await machine('azd', { 'azd/bin/bicep': version('0.50.0') });
    assert.equal(withAzd.find(), join(withAzd.root, 'azd/bin/bicep'));
  });

  it('passes over one that is too old, or is something else', async () => {
    const { root, find } = await machine('old', {
      'path/bicep': version('0.49.1'),
      'azure/bin/bicep': 'exit 1',
      'azd/bin/bicep': version('0.49.10'),
    });
    assert.equal(find(), join(root, 'azd/bin/bicep'));
  });

  it('says how to get it when there is none', async () => {
    const { find } = await machine('none', {});
    assert.throws(find, (error) => error instanceof UserError && /az bicep install/.test(error.message));
  });

  it('says why the package did not come', async () => {
    const { find } = await machine('no-network', {
      'path/dotnet': 'echo "error NU1301: no such host"; exit 1',
    });
    assert.throws(find, (error) => error instanceof UserError && /NU1301/.test(error.message));
  });
});

// A gate that leaves the templates out because a tool is missing would say that they are right.
describe('tests without a Bicep CLI', () => {
  const none = (): string => {
    throw new UserError('no Bicep CLI');
  };

  it('are left out on a machine of one’s own', () => {
    assert.equal(withoutBicep({}, none), 'no Bicep CLI');
  });

  it('fail in CI', () => {
    assert.throws(() => withoutBicep({ CI: '1' }, none), UserError);
  });
});
