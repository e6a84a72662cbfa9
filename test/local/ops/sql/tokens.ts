/** A token of T-SQL. The value of a literal or a quoted name is what the server would see. */
export interface Token {
  readonly kind: 'comment' | 'literal' | 'name' | 'word' | 'sign';
  readonly value: string;
}

/**
 * Takes T-SQL apart, by the rules of the language and not by those of the generator.
 * @throws Error for a literal, name or comment without an end.
 */
export function tokens(sql: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  const quoted = (open: string, close: string): string => {
    let value = '';
    for (at += open.length; at < sql.length; at += 1) {
      if (sql[at] !== close) value += sql[at];
      else if (sql[at + 1] === close) {
        value += close;
        at += 1;
      } else {
        at += 1;
        return value;
      }
    }
    throw new Error(`no end of ${open}${value.slice(0, 40)}`);
  };
  const matched = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(sql)?.[0];
    if (text !== undefined) at += text.length;
    return text;
  };
  while (at < sql.length) {
    if (matched(/\s+/y) !== undefined) continue;
    const comment = matched(/--[^\r\n]*/y);
    if (comment !== undefined) found.push({ kind: 'comment', value: comment });
    else if (sql.startsWith('/*', at))
      throw new Error(`a comment that no step has: ${sql.slice(at, at + 40)}`);
    else if (sql.startsWith("N'", at)) found.push({ kind: 'literal', value: quoted("N'", "'") });
    else if (sql[at] === "'") found.push({ kind: 'literal', value: quoted("'", "'") });
    else if (sql[at] === '"') found.push({ kind: 'name', value: quoted('"', '"') });
    else if (sql[at] === '[') found.push({ kind: 'name', value: quoted('[', ']') });
    else {
      const word = matched(/[\p{L}\p{N}_@#$]+/uy);
      if (word !== undefined) found.push({ kind: 'word', value: word });
      else {
        found.push({ kind: 'sign', value: sql[at] ?? '' });
        at += 1;
      }
    }
  }
  return found;
}

/** The statements that a script puts together at run time, with what it puts in as `@variable`. */
export function dynamicStatements(list: readonly Token[]): string[] {
  const code = list.filter(({ kind }) => kind !== 'comment');
  const starts = code.flatMap(({ kind, value }, index) =>
    kind === 'word' && value === 'CAST' ? [index] : [],
  );
  return starts.flatMap((start) => {
    // CAST ( N'' AS nvarchar ( max ) ) is nine tokens.
    const isStatement = code[start + 2]?.kind === 'literal' && code[start + 3]?.value === 'AS';
    if (!isStatement) return [];
    let text = '';
    for (let at = start + 9; code[at]?.value === '+'; at += 2) text += code[at + 1]?.value ?? '';
    return [text];
  });
}
