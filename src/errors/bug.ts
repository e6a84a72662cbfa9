/** Something that this code rules out has happened: a defect of this app, not of its input. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** @throws Bug when `condition` does not hold. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}
