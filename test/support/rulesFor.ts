import type { Table } from '../../src/model/table.ts';
import type { TableRules } from '../../src/replica/tableRules.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';

/** The default rules of a table, with choices. */
export function rulesFor(table: Table, choices: Partial<TableRules> = {}): TableRules {
  return { ...new RuleBook().of(table), ...choices };
}
