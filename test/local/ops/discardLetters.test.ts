import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ask } from '../../../local/ops/askUser.ts';
import { discardLetters } from '../../../local/ops/discardLetters.ts';
import type { DiscardRequest } from '../../../local/ops/request.ts';
import { selectNames } from '../../../local/ops/selectNames.ts';
import { UserError } from '../../../local/run/userError.ts';
import { putAside, replayServices } from './letters.ts';
import { Listener } from './listen.ts';

async function discard(request: Partial<DiscardRequest>, ask?: Ask) {
  const services = replayServices();
  const names = [];
  for (const body of ['a', 'b', 'c', 'd']) names.push(await putAside(services, Buffer.from(body)));
  const noRow = await putAside(services, Buffer.from('e'), { code: 'no-row' });
  const output = new Listener();
  const whole: DiscardRequest = { kind: 'discard', selection: { kind: 'filter', filter: {} }, yes: false };
  const code = await discardLetters({ ...whole, ...request }, services.archive, output, ask);
  return { code, text: output.text, left: services.archive.names(), names, noRow };
}

test('what is meant is removed, the rest stays', async () => {
  const { code, text, left, names } = await discard({
    selection: { kind: 'filter', filter: { code: 'no-row' } },
    yes: true,
  });
  assert.deepEqual([code, text, left], [0, 'Discarded 1 of 1 dead letter\n', names.toSorted()]);
});

test('names that are not there are told', async () => {
  const { code, text, left } = await discard({ selection: { kind: 'names', names: ['a/b/c'] }, yes: true });
  assert.deepEqual([code, text, left.length], [1, 'Discarded 0 of 1 dead letter; 1 was not there\n', 5]);
});

test('at a terminal the answer decides', async () => {
  const questions: string[] = [];
  const ask = (answer: boolean) => async (question: string) => {
    questions.push(question);
    return answer;
  };
  const no = await discard({}, ask(false));
  assert.deepEqual([no.code, no.text, no.left.length], [1, 'Nothing was discarded.\n', 5]);
  const yes = await discard({}, ask(true));
  assert.deepEqual([yes.code, yes.left], [0, []]);
  assert.deepEqual(questions, Array(2).fill('Discard 5 dead letters for good?'));
});

test('where there is no terminal nothing goes without --yes', async () => {
  await assert.rejects(discard({}), UserError);
});

test('one command takes on so many letters and says that there are more', async () => {
  const services = replayServices();
  for (const body of ['a', 'b', 'c', 'd']) await putAside(services, Buffer.from(body));
  const { signal } = new AbortController();
  for (const [most, more] of [
    [3, true],
    [4, false],
  ] as const) {
    const selected = await selectNames({ kind: 'filter', filter: {} }, services.archive, signal, most);
    assert.deepEqual([selected.names.length, selected.more], [most, more]);
    const names = services.archive.names();
    const named = await selectNames({ kind: 'names', names }, services.archive, signal, most);
    assert.deepEqual([named.names.length, named.more], [most, more]);
  }
});
