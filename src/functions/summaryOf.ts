/** What a log line says of a failure. */
export function summaryOf(error: unknown): Record<string, string> {
  return error instanceof Error
    ? { error: error.name, message: error.message }
    : { error: typeof error, message: '' };
}
