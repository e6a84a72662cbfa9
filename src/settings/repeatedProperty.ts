/**
 * The place of the first property that its object has had before, such as `$.tables.db1.dbo.Orders`; undefined when
 * there is none. JSON.parse takes the last one without a word, and what the others say, perhaps a mask, is gone.
 * @param json a text that JSON.parse accepts.
 */
export function repeatedProperty(json: string): string | undefined {
  const open: Level[] = [];
  let before = '';
  for (const [token] of json.matchAll(tokens)) {
    const level = open.at(-1);
    if (token === '{' || token === '[') open.push({ names: new Set(), isObject: token === '{', at: '' });
    else if (token === '}' || token === ']') open.pop();
    else if (level?.isObject === true && (before === '{' || before === ',')) {
      level.at = JSON.parse(token) as string;
      if (level.names.has(level.at)) return ['$', ...open.map(({ at }) => at)].join('.');
      level.names.add(level.at);
    }
    before = token;
  }
  return undefined;
}

interface Level {
  readonly names: Set<string>;
  readonly isObject: boolean;
  /** The property that is being read. */
  at: string;
}

/** Texts, and what stands between; numbers and words are of no interest. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;
