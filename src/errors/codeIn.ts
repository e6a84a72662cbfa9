/** The code of an SDK's error for a message of ours, such as ` (404)`; empty where it has none. */
export function codeIn(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
}
