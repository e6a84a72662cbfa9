import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** What every file under `src` imports, by its path from the root: other files by their path, packages by name. */
export function sourceImports(): Map<string, readonly string[]> {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', name));
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(ROOT, file), 'utf8'))]));
}

/** Static and dynamic imports and re-exports, of values and of types. */
export function importsOf(file: string, text: string): string[] {
  const statements = text.matchAll(
    /^(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm,
  );
  const calls = text.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g);
  return [...statements, ...calls]
    .map(([, from, bare]) => from ?? bare ?? '')
    .map((name) => (name.startsWith('.') ? relative('.', join(dirname(file), name)) : packageName(name)));
}

/** A cycle as the files on it, or undefined when there is none. */
export function findCycle(imports: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const imported of imports.get(file) ?? []) {
      const cycle = visit(imported, [...path, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of imports.keys()) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function packageName(name: string): string {
  return name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : name;
}
