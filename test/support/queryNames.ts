import { metrics } from '../../src/telemetry/metrics.ts';

/** What a Kusto query names of the app's telemetry. */
export interface QueryNames {
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
  /** Names that the app does not emit, and spellings that this reader does not know. */
  readonly wrong: readonly string[];
}

/** Reads the names in a query: metrics as `name == 'x'` or `name in ('x', ...)`, dimensions as `customDimensions['x']`. */
export function queryNames(query: string): QueryNames {
  const code = query.replaceAll(/\/\/.*$/gm, '');
  const lists = matches(code, /\bname in \(([^)]*)\)/g).flatMap((list) => matches(list, /'([^']*)'/g));
  const names = [...new Set([...lists, ...matches(code, /\bname == '([^']*)'/g)])];
  const dimensions = matches(code, /customDimensions\['([^']*)'\]/g);
  // A query over all metrics can ask for the dimensions of any.
  const asked = code.includes(`startswith '${PREFIX}'`) ? Object.keys(metrics) : names;
  const known = new Set<string>(asked.flatMap((name) => (isMetric(name) ? metrics[name].dimensions : [])));
  return {
    metrics: names,
    dimensions,
    wrong: [
      ...names.filter((name) => !isMetric(name)),
      ...dimensions.filter((name) => !known.has(name)),
      ...matches(code, /(customDimensions(?!\['[^']*'\]).{0,20})/g),
      ...matches(code, /\bname ((?:[=!]|in|has|contains|startswith|matches).{0,20})/g).filter(
        (test) => !/^(== '|in \('|has_any \(|startswith 'replica\.')/.test(test),
      ),
    ],
  };
}

const PREFIX = 'replica.';

function isMetric(name: string): name is keyof typeof metrics {
  return Object.hasOwn(metrics, name);
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
}
