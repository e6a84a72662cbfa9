import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the staging folder. */
export interface StagedFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** Where `npm run package` puts it; `dist` of azure.yaml names it, too. */
export const STAGING_FOLDER = 'package';

/** The bundle and the file that it loads when it is asked to report. */
const BUNDLES = ['dist/index.cjs', 'dist/telemetry.cjs'] as const;

/**
 * Makes the folder that is published: what the Functions host reads, the built app, and nothing to install or build.
 * What was in it before goes.
 * @param root the project, built
 * @returns what is in it
 */
export async function stagePackage(root: string, folder: string): Promise<readonly StagedFile[]> {
  const { name, version, main } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const copies = ['host.json', ...BUNDLES];
  for (const file of copies) await cp(join(root, file), join(folder, file));
  const texts = {
    'package.json': json({ name, version, private: true, main }),
    'local.settings.json': json(toolSettings),
    '.funcignore': FUNCIGNORE,
  };
  for (const [file, text] of Object.entries(texts)) await writeFile(join(folder, file), text);
  return Promise.all(
    [...copies, ...Object.keys(texts)].map(async (path) => ({
      path,
      size: (await stat(join(folder, path))).size,
    })),
  );
}

/**
 * `func azure functionapp publish` refuses a folder that does not say its runtime, and looks for it here only. Neither
 * func nor azd uploads this file.
 */
const toolSettings = { IsEncrypted: false, Values: { FUNCTIONS_WORKER_RUNTIME: 'node' } };

/** Read from the folder that is published. It must not name node_modules, or azd asks for a build in the cloud. */
const FUNCIGNORE = `# What tools leave here and no function app needs.
.funcignore
local.settings.json
package-lock.json
*.map
*.zip
`;

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
