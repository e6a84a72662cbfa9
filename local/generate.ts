import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from './generate/generatedFiles.ts';

// `npm run generate`: writes the files that follow from src.
const root = join(import.meta.dirname, '..');
for (const [path, text] of Object.entries(generatedFiles())) writeFileSync(join(root, path), text);
