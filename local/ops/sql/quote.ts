/** A name as a delimited identifier: `[a]]b]`. */
export function identifier(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/** Text as a Unicode literal: `N'it''s'`. */
export function literal(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`;
}

/**
 * T-SQL as an expression of type nvarchar(max), for sp_executesql. The holes are expressions of the script around
 * it; nothing that was quoted for the inner statement is touched again.
 */
export function dynamicSql(parts: TemplateStringsArray, ...holes: readonly (string | Expression)[]): string {
  const pieces: string[] = [];
  let text = '';
  for (const [index, part] of parts.entries()) {
    text += part;
    const hole = holes[index];
    if (typeof hole === 'string') text += hole;
    if (typeof hole !== 'object') continue;
    pieces.push(literal(text), hole.expression);
    text = '';
  }
  // Without the type, literals are put together up to 4,000 characters only.
  return ["CAST(N'' AS nvarchar(max))", ...pieces, literal(text)].join('\n    + ');
}

/** Something that the script around a dynamic statement puts in. */
export interface Expression {
  readonly expression: string;
}

export function expression(text: string): Expression {
  return { expression: text };
}
