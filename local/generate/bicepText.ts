/** A string of Bicep. */
export function bicepText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('${', '\\${').replaceAll('\n', '\\n')}'`;
}
