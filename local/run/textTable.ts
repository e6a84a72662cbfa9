/** Gap between columns. */
const GAP = '  ';

/** Aligned columns without lines around them, one text a line. The header is underlined; numbers are on the right. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((title, column) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[column] ?? ''))),
  );
  const right = header.map((_, column) => rows.every((row) => isNumeric(row[column] ?? '')));
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => pad(cells[column] ?? '', width, right[column] === true))
      .join(GAP)
      .trimEnd();
  return [line(header), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)];
}

/** A number, or nothing in the place of one. */
function isNumeric(text: string): boolean {
  return text === '' || text === 'null' || /^-?\d[\d,]*(\.\d+)?(e[+-]?\d+)?$/.test(text);
}

/** Width of a line with columns of these widths. */
export function tableWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * Math.max(0, widths.length - 1);
}

/** Columns that a terminal needs for the text: East Asian characters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** The text cut to a width, with an ellipsis where something is missing. Control characters become spaces. */
export function cutToWidth(text: string, width: number): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ');
  if (displayWidth(clean) <= width) return clean;
  let cut = '';
  let used = 1;
  for (const character of clean) {
    used += widthOf(character);
    if (used > width) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

function widthOf(character: string): number {
  if (/\p{Mn}/u.test(character)) return 0;
  return /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff00-\uff60]/u.test(
    character,
  )
    ? 2
    : 1;
}

function pad(text: string, width: number, right: boolean): string {
  const spaces = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return right ? spaces + text : text + spaces;
}
