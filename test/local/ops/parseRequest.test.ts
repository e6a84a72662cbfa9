import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_LISTED } from '../../../local/ops/limits.ts';
import { parseRequest } from '../../../local/ops/parseRequest.ts';
import { UserError } from '../../../local/run/userError.ts';

const parse = (...args: readonly string[]) => parseRequest(['dead-letters', ...args]);

describe('what can be asked for', () => {
  it('list', () => {
    assert.deepEqual(parse('list'), { kind: 'list', filter: {}, limit: 100, json: false });
    assert.deepEqual(
      parse(
        ...['list', '--code', 'no-key', '--day', '2026-08-07', '--table', 'a.b.c', '--json'],
        ...['--limit', '7', '--after', 'x', '--settings', 'other.json'],
      ),
      {
        kind: 'list',
        filter: { code: 'no-key', day: '2026-08-07', table: 'a.b.c' },
        limit: 7,
        after: 'x',
        json: true,
        settings: 'other.json',
      },
    );
  });

  it('show', () => {
    assert.deepEqual(parse('show', 'a/b/c'), { kind: 'show', name: 'a/b/c', json: false, body: false });
    assert.deepEqual(parse('show', 'a', '--body'), { kind: 'show', name: 'a', json: false, body: true });
  });

  it('replay', () => {
    assert.deepEqual(parse('replay', 'a', 'b', 'a'), {
      kind: 'replay',
      selection: { kind: 'names', names: ['a', 'b'] },
      create: false,
      json: false,
    });
    assert.deepEqual(parse('replay', '--all', '--create', '--json'), {
      kind: 'replay',
      selection: { kind: 'filter', filter: {} },
      create: true,
      json: true,
    });
  });

  it('discard', () => {
    assert.deepEqual(parse('discard', '--day', '2026-08-07', '--yes'), {
      kind: 'discard',
      selection: { kind: 'filter', filter: { day: '2026-08-07' } },
      yes: true,
    });
  });

  it('explain', () => {
    const explain = { kind: 'explain', path: 'a', json: false };
    assert.deepEqual(parseRequest(['explain', 'a']), explain);
    assert.deepEqual(parseRequest(['explain', 'a', '--config', 'c', '--json', '--settings', 's']), {
      ...explain,
      config: 'c',
      json: true,
      settings: 's',
    });
  });
});

describe('what makes no sense is told in one line', () => {
  const cases: Readonly<Record<string, readonly [args: readonly string[], message: RegExp]>> = {
    'nothing at all': [[], /^say what to do: dead-letters list/],
    'another command': [['lists'], /unknown command 'lists'.*--help/],
    'an unknown option': [['list', '--codes', 'x'], /unknown option '--codes'/],
    'an unknown code': [['list', '--code', 'nokey'], /--code: 'nokey' is none of empty-message, /],
    'no day': [['list', '--day', 'today'], /--day: 'today' is not a day such as/],
    'no table': [['list', '--table', 'Purchases'], /--table: 'Purchases' is not a table such as/],
    'a limit of none': [['list', '--limit', '0'], /--limit: '0' is not a whole number from 1 to/],
    'a limit too high': [['list', '--limit', String(MAX_LISTED + 1)], /--limit: /],
    'names where there are none': [['list', 'a'], /too many arguments.*options come after --/],
    'no name to show': [['show'], /missing required argument 'name'/],
    'two forms of one letter': [['show', 'a', '--json', '--body'], /cannot be used with/],
    'a replay of nothing': [['replay'], /^say which dead letters: their names, or --code/],
    'a replay of all and some': [['replay', '--all', '--code', 'no-key'], /^give either names, or/],
    'names and a filter': [['discard', 'a', '--day', '2026-08-07'], /^give either names, or/],
  };
  for (const [what, [args, message]] of Object.entries(cases)) {
    it(what, () => {
      assert.throws(
        () => parse(...args),
        (error) => {
          assert.ok(error instanceof UserError);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /\n/);
          return true;
        },
      );
    });
  }
});
