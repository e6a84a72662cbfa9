import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { explainMessages } from '../../local/ops/explain/explainMessages.ts';
import type { ExplainedColumn } from '../../local/ops/explain/explanation.ts';
import { replicate } from '../../src/pipeline.ts';
import type { ReplicaItem } from '../../src/replica/replicaItem.ts';
import { resolveLargeValues } from '../../src/replica/resolveLargeValues.ts';
import type { TableConfig } from '../../src/settings/configSchema.ts';
import { RuleBook } from '../../src/settings/ruleBook.ts';
import { modelChange, modelChoices, modelEvent } from '../support/choicesArbitrary.ts';
import { ChoicesModel, entriesOf, SALT, type Seen } from '../support/choicesModel.ts';
import { shuffled } from '../support/eventArbitrary.ts';
import { hubMessages } from '../support/hubMessages.ts';
import { jsonMessage } from '../support/jsonMessage.ts';
import { anotherInstance, type TestServices, testServices, testSettings } from '../support/testServices.ts';

function servicesWith(table: TableConfig): TestServices {
  const rules = new RuleBook({ tables: { 'shop.dbo.Items': table } }, 0, SALT);
  return testServices({ settings: { ...testSettings, rules } });
}

async function seenIn({ store, largeValues }: TestServices): Promise<[string, Seen][]> {
  const read = async (name: string) =>
    Buffer.from(largeValues.text(name) ?? assert.fail(`${name} is missing`));
  return Promise.all(
    store.items().map(async (item): Promise<[string, Seen]> => {
      const { id, key, row, deleted = false } = await resolveLargeValues<ReplicaItem>(item, read);
      return [id, { key: entriesOf(key), deleted, row: row === undefined ? null : entriesOf(row) }];
    }),
  );
}

const byContent = (items: readonly Seen[]): string[] =>
  items.map((one) => JSON.stringify([one.key, one.deleted, one.row])).sort();

test('whatever is chosen, the replica is what one change after the other makes', async () => {
  const runs = fc.array(modelChange, { minLength: 1, maxLength: 7 }).chain((changes) =>
    fc.record({
      changes: fc.constant(changes),
      choices: modelChoices,
      order: shuffled([...changes.keys(), ...changes.keys()]),
      ends: fc.array(fc.nat(changes.length * 2), { maxLength: 4 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(runs, async ({ changes, choices, order, ends }) => {
      const one = servicesWith(choices);
      const instances = [one, anotherInstance(one)];
      const bodies = changes.map((change, index) => jsonMessage(modelEvent(change, index + 1)));
      const bounds = [0, ...ends.toSorted((a, b) => a - b), order.length];
      for (const [place, end] of bounds.slice(1).entries()) {
        const batch = order.slice(bounds[place], end).map((index) => bodies[index] ?? Buffer.of());
        if (batch.length > 0) await replicate(hubMessages(batch), instances[place % 2] ?? one);
      }
      const model = new ChoicesModel(choices);
      for (const change of changes) model.play(change);
      assert.ok(!one.deadLetters.reasons().includes('item-too-large'));
      assert.deepEqual(
        byContent((await seenIn(one)).map(([, seen]) => seen)),
        byContent([...model.seen().values()]),
      );
      assert.equal(one.deadLetters.letters.size > 0, model.rejected > 0);
      for (const item of one.store.items())
        assert.ok(Buffer.byteLength(JSON.stringify(item)) <= (choices.itemBytes ?? 2_000_000));
    }),
    { numRuns: 300 },
  );
});

test('what explain says of a change is what is stored of it', async () => {
  await fc.assert(
    fc.asyncProperty(modelChange, modelChoices, async (change, choices) => {
      const services = servicesWith(choices);
      const body = jsonMessage(modelEvent(change, 1));
      await replicate(hubMessages([body]), services);
      const [explanation] = explainMessages([{ place: '', body }], services.settings);
      const outcome = explanation?.outcome;
      assert.deepEqual(services.deadLetters.reasons(), outcome?.kind === 'dead-letter' ? [outcome.code] : []);
      const items = outcome?.kind === 'written' ? outcome.items : [];
      const sorted = JSON.parse(JSON.stringify(items.toSorted((a, b) => (a.id < b.id ? -1 : 1))));
      assert.deepEqual(sorted, services.store.items());
      if (outcome?.kind === 'written' && choices.itemBytes === undefined)
        assert.deepEqual(shownColumns(explanation?.columns ?? []), entriesOf(items.at(-1)?.row ?? {}));
    }),
    { numRuns: 300 },
  );
});

/** The columns of the row as the list of columns tells them. */
function shownColumns(columns: readonly ExplainedColumn[]): ReturnType<typeof entriesOf> {
  const shown = columns.flatMap(({ name, json, treatment }): (readonly [string, unknown])[] => {
    const renamed = /renamed to ("(?:[^"\\]|\\.)*")/.exec(treatment)?.[1];
    return json === undefined ? [] : [[renamed === undefined ? name : JSON.parse(renamed), json]];
  });
  return entriesOf(Object.fromEntries(shown));
}
