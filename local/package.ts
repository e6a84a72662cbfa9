import { fileURLToPath } from 'node:url';
import { STAGING_FOLDER, stagePackage } from './package/stagePackage.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = fileURLToPath(new URL(`../${STAGING_FOLDER}`, import.meta.url));

const files = await stagePackage(root, folder);
const bytes = files.reduce((sum, { size }) => sum + size, 0);
console.log(`${STAGING_FOLDER}/ has ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB; to publish it:`);
console.log(
  `(cd ${STAGING_FOLDER} && func azure functionapp publish "$app" --no-build)   # app: its name in Azure`,
);
