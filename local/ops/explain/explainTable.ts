import type { ChangeHead } from '../../../src/model/changeHead.ts';
import { tableText } from '../../../src/model/table.ts';
import { versionOf } from '../../../src/model/version.ts';
import type { RuleBook } from '../../../src/settings/ruleBook.ts';
import type { Explanation } from './explanation.ts';

/** What is known of a change from its beginning: the table, what the configuration says of it, the key, the version. */
export function explainTable(
  { table, key, position }: Pick<ChangeHead, 'table' | 'key' | 'position'>,
  rules: RuleBook,
): Pick<Explanation, 'table' | 'key' | 'version'> {
  const { included, container, updates, deletes, epoch, table: replica } = rules.of(table);
  return {
    table: {
      source: tableText(table),
      replica: tableText(replica),
      included,
      ...(container !== undefined && { container }),
      updates,
      deletes,
    },
    key: Object.fromEntries(key.map(({ column, value }) => [column, value])),
    version: versionOf(epoch, position.lsn, position.sequence),
  };
}
