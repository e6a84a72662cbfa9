import type { KeyColumn } from '../../../src/model/change.ts';
import type { ChangeHead } from '../../../src/model/changeHead.ts';
import { tableText } from '../../../src/model/table.ts';
import { versionOf } from '../../../src/model/version.ts';
import type { RuleBook } from '../../../src/settings/ruleBook.ts';
import type { Explanation } from './explanation.ts';

/**
 * What is known of a change from its beginning: the table, what the configuration says of it, the key, the version.
 * @param key of the row; undefined when it is not known, or there is none.
 */
export function explainTable(
  { table, position }: Pick<ChangeHead, 'table' | 'position'>,
  key: readonly KeyColumn[] | undefined,
  rules: RuleBook,
): Pick<Explanation, 'table' | 'key' | 'version'> {
  const { entries } = rules.choicesFor(table);
  const { included, container, updates, deletes, epoch, table: replica } = rules.of(table);
  return {
    table: {
      source: tableText(table),
      replica: tableText(replica),
      ...(entries !== undefined && { entries }),
      included,
      ...(container !== undefined && { container }),
      updates,
      deletes,
    },
    ...(key !== undefined && { key: Object.fromEntries(key.map(({ column, value }) => [column, value])) }),
    version: versionOf(epoch, position.lsn, position.sequence),
  };
}
