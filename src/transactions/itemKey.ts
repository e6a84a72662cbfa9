const unsafe = /[^A-Za-z0-9_-]/g;

/** A database's name in a key, as in the ids of replica items: distinct for distinct names, and safe in URLs. */
export function encodeDatabase(db: string): string {
  return db.replaceAll(unsafe, (unit) => {
    const code = unit.charCodeAt(0).toString(16).toUpperCase();
    return code.length <= 2 ? `~${code.padStart(2, '0')}` : `~u${code.padStart(4, '0')}`;
  });
}
