/** One line for each value that is known, with its label in front. */
export function labelled(values: Readonly<Record<string, unknown>>): string[] {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([label]) => label.length));
  return known.map(([label, value]) => `${label.padEnd(width)}  ${String(value)}`);
}
