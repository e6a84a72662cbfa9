/** Something is wrong with what was given to replay. The message is one line: the file, the problem, what to do. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly path: string;

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options);
    this.path = path;
  }
}

/** What can be given, for the end of an error message. */
export const ACCEPTED_INPUT =
  'give a message of CES or Debezium (.json or .avro), a recording (.jsonl), an Event Hubs Capture file, or a folder of them';

/** The InputError for a failed call of the file system. An InputError is passed through. */
export function unreadable(path: string, error: unknown): InputError {
  if (error instanceof InputError) {
    return error;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  const problem =
    code === 'ENOENT'
      ? `does not exist; ${ACCEPTED_INPUT}`
      : `cannot be read (${code}); check its permissions, or name another path`;
  return new InputError(path, problem, { cause: error });
}
