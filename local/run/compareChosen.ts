import { tableText } from '../../src/model/table.ts';
import type { RuleBook } from '../../src/settings/ruleBook.ts';
import type { OracleTable } from '../simulation/oracle.ts';
import { type Comparison, compareWithOracle } from './compareWithOracle.ts';
import { type StoredItem, tableOf } from './storedItem.ts';

/** A comparison of the tables that the replica is to hold as they are. */
export interface ChosenComparison {
  /** Missing when there is no such table. */
  readonly comparison?: Comparison;
  /** Tables that the configuration changes, `db.schema.name`: the source does not tell what they are to be. */
  readonly notCompared?: readonly string[];
}

/**
 * @param rules undefined when no configuration was given.
 * @param withOrder as {@link compareWithOracle} takes it.
 */
export function compareChosen(
  tables: readonly OracleTable[],
  items: readonly StoredItem[],
  rules: RuleBook | undefined,
  withOrder: boolean,
): ChosenComparison {
  const changed = tables.filter((table) => rules?.choicesFor(table).any === true);
  if (rules === undefined || changed.length === 0)
    return { comparison: compareWithOracle(tables, items, withOrder) };
  const there = new Set(changed.map((table) => tableText(rules.of(table).table)));
  const compared = tables.filter((table) => !changed.includes(table));
  return {
    ...(compared.length > 0 && {
      comparison: compareWithOracle(
        compared,
        items.filter((item) => !there.has(tableOf(item))),
        withOrder,
      ),
    }),
    notCompared: changed.map(tableText),
  };
}
