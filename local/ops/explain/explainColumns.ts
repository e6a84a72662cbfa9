import type { Change, Image, SqlValue } from '../../../src/model/change.ts';
import { type Converted, converterFor, convertValue } from '../../../src/replica/convertValue.ts';
import { keyNames } from '../../../src/replica/keyNames.ts';
import type { RowState } from '../../../src/replica/rowState.ts';
import { parseSqlType } from '../../../src/replica/sqlType.ts';
import type { ColumnRule, TableRules } from '../../../src/replica/tableRules.ts';
import type { ExplainedColumn } from './explanation.ts';

/**
 * Every column that a change declares or carries: its values, and what becomes of it.
 * @param cells what the change says of its row, by the names in the replica; undefined when nothing is written.
 */
export function explainColumns(
  change: Change,
  rules: TableRules,
  cells: RowState['cells'] | undefined,
): ExplainedColumn[] {
  const { columns, key, old, current } = change;
  const declared = new Map(columns.map(({ name, type }) => [name, type]));
  const names = new Set([...declared.keys(), ...Object.keys(current ?? {}), ...Object.keys(old ?? {})]);
  const keyColumns = new Set(keyNames(rules, columns) ?? key.map(({ column }) => column));
  return [...names].map((name) => {
    const sqlType = declared.get(name);
    const before = valueIn(old, name);
    const now = valueIn(current, name);
    const type = parseSqlType(sqlType ?? '');
    const rule = rules.columnRule(name, type.name);
    const kept =
      rules.included && (rule.presence === 'kept' || (rule.presence === 'unlisted' && keyColumns.has(name)));
    const sent = now === undefined ? before : now;
    // An old value counts where the row moves or is kept although it is deleted, else only what was sent.
    const converted =
      kept && sent !== undefined && cells?.has(rule.name) === true
        ? convertValue(sent, rule.mask ?? converterFor(type, rule.json))
        : undefined;
    return {
      name,
      ...(sqlType !== undefined && { sqlType }),
      ...(before !== undefined && { old: before }),
      ...(now !== undefined && { current: now }),
      ...(converted !== undefined && { json: converted.value }),
      treatment: treatmentOf(name, rule, kept, keyColumns.has(name), sent, converted),
    };
  });
}

/** A value can be one of the column's type, and yet not of that which the configuration chooses. */
function staysText({ json }: ColumnRule): string {
  return json === undefined ? 'not a value of its type: stays text' : `not exactly a ${json}: stays text`;
}

function valueIn(image: Image | null, name: string): SqlValue | undefined {
  return image !== null && Object.hasOwn(image, name) ? image[name] : undefined;
}

function treatmentOf(
  name: string,
  rule: ColumnRule,
  kept: boolean,
  inKey: boolean,
  sent: SqlValue | undefined,
  converted: Converted | undefined,
): string {
  if (!kept) return rule.presence === 'unlisted' ? 'left out: not in include' : 'left out';
  const idText = typeof sent === 'string' ? rule.idText(sent) : sent;
  return [
    inKey ? 'key' : '',
    rule.name === name ? 'kept' : `renamed to ${JSON.stringify(rule.name)}`,
    rule.mask === undefined ? '' : 'masked',
    rule.mask === undefined && rule.json !== undefined ? `as ${rule.json}` : '',
    inKey && rule.mask !== undefined ? 'a hash in the id' : '',
    inKey && rule.mask === undefined && idText !== sent ? 'normalized in the id' : '',
    converted?.parsed === false ? staysText(rule) : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
