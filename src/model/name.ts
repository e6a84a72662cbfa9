/**
 * A name of the source in a form that is the same for names which most collations of SQL Server take for equal: letter
 * case does not count, nor does the dot of i, which Turkish collations tell apart. Names that are equal here can still
 * be those of two columns, where a collation tells case apart.
 */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toUpperCase();
  // To lower case first: the capital ẞ has an upper case of its own. What is left of İ is an I and a dot.
  return name.toLowerCase().toUpperCase().replaceAll('I\u0307', 'I');
}

const ASCII = /^[\0-\x7f]*$/;
