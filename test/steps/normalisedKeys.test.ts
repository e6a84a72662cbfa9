import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { replicate } from '../../src/pipeline.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { insertEvent, type TestEvent } from '../support/testEvent.ts';
import { testServices, testSettings } from '../support/testServices.ts';

const rules = new RuleBook({ tables: { 'shop.dbo.Items': { normalize: { Code: ['ci', 'rtrim'] } } } });
const settings = { ...testSettings, rules };
const cols = ['Code', 'Name'].map((name, index) => ({ name, type: 'varchar(9)', index }));

/** What a statement does to the row of a code; `spelled` is how the code is written from then on. */
interface Step {
  readonly code: string;
  readonly spelled: string;
  readonly what: 'write' | 'delete' | 'respell' | 'respellAsTwo' | 'move';
}

const spelling = (code: string) =>
  fc.constantFrom(code, code.toUpperCase(), `${code} `, `${code.toUpperCase()}  `);
const step: fc.Arbitrary<Step> = fc.constantFrom('aé', 'b', 'cß').chain((code) =>
  fc.record({
    code: fc.constant(code),
    // The upper case of ß is SS, which is another key.
    spelled: code === 'cß' ? fc.constantFrom(code, 'Cß', `${code} `) : spelling(code),
    what: fc.constantFrom('write', 'write', 'delete', 'respell', 'respellAsTwo', 'move'),
  }),
);

type Row = { readonly Code: string; readonly Name: string };

/** Runs the steps on a table whose collation is case-insensitive. Gives its events and the rows in the end. */
function history(
  steps: readonly Step[],
  oldValues: boolean,
): { events: TestEvent[]; rows: Map<string, Row> } {
  const events: TestEvent[] = [];
  const rows = new Map<string, Row>();
  const emit = (operation: string, old: Row | undefined, current: Row | undefined): void => {
    const position = events.length + 1;
    const code = (current ?? old)?.Code ?? '';
    events.push(
      insertEvent(0, position, {
        operation,
        cols,
        pkkey: [{ columnname: 'Code', value: code }],
        old: old === undefined || (operation === 'UPD' && !oldValues) ? '{}' : JSON.stringify(old),
        current: current === undefined ? '{}' : JSON.stringify(current),
      }),
    );
  };
  for (const { code, spelled, what } of steps) {
    const old = rows.get(code);
    const fresh = { Code: spelled, Name: `${events.length}` };
    const free = ['aé', 'b', 'cß'].find((other) => !rows.has(other));
    if (old === undefined) {
      emit('INS', undefined, fresh);
      rows.set(code, fresh);
    } else if (what === 'delete') {
      emit('DEL', old, undefined);
      rows.delete(code);
    } else if (what === 'respellAsTwo') {
      emit('DEL', old, undefined);
      emit('INS', undefined, fresh);
      rows.set(code, fresh);
    } else if (what === 'move' && free !== undefined && oldValues) {
      const moved = { ...fresh, Code: free };
      emit('UPD', old, moved);
      rows.delete(code);
      rows.set(free, moved);
    } else {
      const current = what === 'write' ? { ...fresh, Code: old.Code } : fresh;
      emit('UPD', old, current);
      rows.set(code, current);
    }
  }
  return { events, rows };
}

// Without old values nobody can see that a key was only spelled anew: a second item would stay for ever.
test('a key that is spelled anew stays one row, in any order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.boolean(),
      fc.infiniteStream(fc.nat()),
      async (steps, oldValues, random) => {
        const { events, rows } = history(steps, oldValues);
        const services = testServices({ settings });
        const left = [...events, ...events.slice(0, 3)];
        while (left.length > 0) {
          const size = 1 + (random.next().value % 4);
          const batch = Array.from({ length: Math.min(size, left.length) }, () =>
            left.splice(random.next().value % left.length, 1),
          ).flat();
          const { report } = await replicate(hubMessages(batch.map((event) => jsonMessage(event))), services);
          assert.equal(report.deadLettered, 0);
        }
        const live = services.store.items().filter(({ deleted }) => deleted !== true);
        const byName = (a: Row, b: Row) => (a.Name < b.Name ? -1 : 1);
        assert.deepEqual(
          live.map(({ row }) => row as unknown as Row).sort(byName),
          [...rows.values()].sort(byName),
        );
        for (const { key, row } of live) assert.deepEqual(key, { Code: row?.['Code'] });
      },
    ),
    { numRuns: 300 },
  );
});
