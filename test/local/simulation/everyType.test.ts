import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSimulationOptions } from '../../../local/simulation/options.ts';
import { simulate } from '../../../local/simulation/simulate.ts';
import { readEvents } from './readBack.ts';

/** What CES streams, and a type that it may stream one day. */
const supported = [
  ...['bit', 'tinyint', 'smallint', 'int', 'bigint', 'smallmoney', 'money', 'real', 'float'],
  ...['decimal', 'numeric', 'date', 'time', 'datetime', 'smalldatetime', 'datetime2', 'datetimeoffset'],
  ...['char', 'varchar', 'varchar(max)', 'nchar', 'nvarchar', 'nvarchar(max)'],
  ...['uniqueidentifier', 'binary', 'varbinary', 'varbinary(max)', 'futuretype'],
];

const nameOf = (type: string): string => type.replace(/\(\d[^)]*\)$/, '');

test('one table has a column of every supported type, each with NULLs and values, in both encodings', () => {
  const simulation = simulate({ ...defaultSimulationOptions, changes: 1_500, encoding: 'mixed' });
  const table = simulation.tables.find(({ name }) => name === 'Every Type');
  assert.ok(table);
  assert.deepEqual(new Set(table.columns.map(({ sqlType }) => nameOf(sqlType))), new Set(supported));
  const events = readEvents(simulation).filter(({ payload }) => payload.eventsource.tbl === table.name);
  const images = events.map(({ payload }) => JSON.parse(payload.eventrow.current));
  for (const { name } of table.columns.filter(({ name }) => !table.keyColumns.includes(name))) {
    assert.ok(
      images.some((image) => image[name] === null),
      `NULL in ${name}`,
    );
    assert.ok(
      images.some((image) => typeof image[name] === 'string'),
      `a value in ${name}`,
    );
  }
  assert.deepEqual(new Set(events.map(({ segments }) => segments[0]?.encoding)), new Set(['json', 'avro']));
});
