import type { ChangeHead } from '../model/changeHead.ts';
import { type Version, versionOf } from '../model/version.ts';
import { keyIn } from './keyIn.ts';
import { RowLayout } from './rowLayout.ts';
import type { RowState } from './rowState.ts';
import { type Stamp, stampOf, versionOfStamp } from './stamp.ts';
import type { TableRules } from './tableRules.ts';

/**
 * Whether a change of which only the beginning is known adds nothing to a stored row, whatever the rest of it
 * holds. False also when that cannot be known.
 * @param stored the row that the key of the change names.
 */
export function isSuperseded(head: ChangeHead, stored: RowState, rules: TableRules): boolean {
  const version = versionOf(rules.epoch, head.position.lsn, head.position.sequence);
  const covered = (): boolean => coversColumns(head, stored, stampOf(version, false), rules);
  switch (head.operation) {
    case 'DEL':
      return (
        rules.deletes === 'ignore' ||
        holdsVersion(stored, version) ||
        hasImageSince(stored, stampOf(version, true))
      );
    case 'INS':
      return holdsVersion(stored, version) || (keepsKey(head, rules) && covered());
    case 'UPD':
      return keepsKey(head, rules) && (holdsVersion(stored, version) || covered());
    default:
      return head.operation satisfies never;
  }
}

/** Only the whole event can have brought its version in, and with it everything it had to say of this row. */
function holdsVersion({ image, cells, newest }: RowState, version: Version): boolean {
  const isOfVersion = (stamp: Stamp): boolean => versionOfStamp(stamp) === version;
  return (
    isOfVersion(newest.stamp) ||
    (image !== null && isOfVersion(image)) ||
    cells.values().some(({ stamp }) => isOfVersion(stamp))
  );
}

/**
 * Whether the row was under this key before, too. A change that moves a row deletes the old key, of which the
 * row under the new key says nothing. A key that is only spelled anew (`normalize`) is the same.
 */
function keepsKey({ old, key, columns }: ChangeHead, rules: TableRules): boolean {
  if (old === undefined) return false;
  if (old === null) return true;
  const oldKey = keyIn(old, key);
  if (oldKey === null) return false;
  const layout = RowLayout.of(rules, columns);
  return layout.idOf(oldKey) === layout.idOf(key);
}

function coversColumns(head: ChangeHead, stored: RowState, stamp: Stamp, rules: TableRules): boolean {
  if (hasImageSince(stored, stamp)) return true;
  const isImage = rules.updates === 'replace' || (head.operation === 'INS' && head.old === null);
  if (isImage || head.columns.length === 0) return false;
  const layout = RowLayout.of(rules, head.columns);
  const kept = head.columns.filter(({ name }) => layout.keeps(name, head.key));
  return kept.every(({ name }) => {
    const cell = stored.cells.get(layout.column(name).name);
    return cell !== undefined && cell.stamp >= stamp;
  });
}

function hasImageSince({ image }: RowState, stamp: Stamp): boolean {
  return image !== null && image >= stamp;
}
