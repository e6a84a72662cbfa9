import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { add, folderSize, nothing, type Size } from './folderSize.ts';

export interface UnbundledApp {
  /** Entry points, as ES modules. */
  readonly app: string;
  readonly telemetry: string;
  /** The app and what `npm ci --omit=dev` installs for it. */
  readonly size: Size;
}

/** The app as `tsc` leaves it, a file for each module, with the SDKs in node_modules. */
export async function unbundledApp(root: string, folder: string): Promise<UnbundledApp> {
  const options = {
    noEmit: false,
    noCheck: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(root, 'src'),
    outDir: folder,
    types: [],
  };
  const files = ['index.ts', 'telemetry/azureMonitor.ts'].map((file) => join(root, 'src', file));
  const project = { extends: join(root, 'tsconfig.json'), compilerOptions: options, include: [], files };
  await mkdir(folder);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['--project', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    app: join(folder, 'index.js'),
    telemetry: join(folder, 'telemetry/azureMonitor.js'),
    size: add(await folderSize(folder), await installedSize(root)),
  };
}

/** Every package that is not for development only. */
async function installedSize(root: string): Promise<Size> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const folders = Object.entries(packages).flatMap(([folder, { dev, devOptional, optional }]) =>
    folder === '' || dev || devOptional || optional ? [] : [folder],
  );
  const sizes = await Promise.all(folders.map((folder) => folderSize(join(root, folder))));
  return sizes.reduce(add, nothing);
}

interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly devOptional?: boolean; readonly optional?: boolean }>
  >;
}
