/** Values put over `process.env`, newest last. */
const overlays: Readonly<Record<string, string>>[] = [];
/** What the variables covered by an overlay held before the first one. */
const originals = new Map<string, string | undefined>();

/**
 * Sets environment variables until the returned function is called. Overlays may be removed in any order; the newest
 * one that names a variable decides its value.
 */
export function overlayEnvironment(values: Readonly<Record<string, string>>): () => void {
  const overlay = { ...values };
  overlays.push(overlay);
  for (const name of Object.keys(overlay)) {
    if (!originals.has(name)) {
      originals.set(name, process.env[name]);
    }
    refresh(name);
  }
  return () => {
    const index = overlays.indexOf(overlay);
    if (index >= 0) {
      overlays.splice(index, 1);
      Object.keys(overlay).forEach(refresh);
    }
  };
}

function refresh(name: string): void {
  const decisive = overlays.findLast((overlay) => Object.hasOwn(overlay, name));
  const value = decisive === undefined ? originals.get(name) : decisive[name];
  if (value === undefined) {
    delete process.env[name];
  } else {
    process.env[name] = value;
  }
  if (decisive === undefined) {
    originals.delete(name);
  }
}
