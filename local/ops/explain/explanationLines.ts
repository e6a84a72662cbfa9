import { cutToWidth, displayWidth, tableWidth, textTable } from '../../run/textTable.ts';
import { labelled } from '../labelled.ts';
import { SHOWN_CHARACTERS } from '../limits.ts';
import type {
  ExplainedColumn,
  ExplainedEvent,
  ExplainedMessage,
  Explanation,
  Outcome,
} from './explanation.ts';

/** Width of what is printed where there is no terminal, in characters. */
const DEFAULT_WIDTH = 140;
/** Narrowest column of values, in characters; the table gets wider than the terminal then. */
const LEAST_VALUE_WIDTH = 12;

/** An explanation for people, one text a line; control characters of the message do nothing to the terminal. */
export function explanationLines(explanation: Explanation, width = DEFAULT_WIDTH): string[] {
  return linesOf(explanation, width).map((line) => line.replaceAll(/\p{Cc}/gu, ' '));
}

function linesOf(explanation: Explanation, width: number): string[] {
  const { messages, event, table, key, version, columns, missingColumns, outcome } = explanation;
  return [
    ...messages.map(messageLine),
    ...indented(
      labelled({
        Envelope: envelopeText(messages[0], event !== undefined),
        ...(event !== undefined && eventLines(event)),
        Table: table === undefined ? undefined : tableLine(table),
        Entries: table?.entries === undefined ? undefined : entriesLine(table.entries),
        Key: key === undefined ? undefined : shown(key),
        Version: version,
      }),
    ),
    ...(columns === undefined ? [] : ['', ...indented(columnLines(columns, width))]),
    ...(missingColumns === undefined
      ? []
      : ['', `  The configuration names columns that the event does not have: ${missingColumns.join(', ')}`]),
    '',
    ...indented(outcomeLines(outcome)),
  ];
}

function messageLine({ place, bytes, copy }: ExplainedMessage): string {
  return `${place}: ${bytes.toLocaleString('en-US')} bytes${copy === true ? ', a copy of an earlier segment' : ''}`;
}

/** What the lines below do not tell. */
function envelopeText(message: ExplainedMessage | undefined, read: boolean): string | undefined {
  const attributes = Object.entries(message?.envelope ?? {})
    .filter(([name]) => !read || !TOLD_BELOW.has(name))
    .map(([name, value]) => `${name} ${value}`);
  return attributes.length === 0 ? undefined : attributes.join(', ');
}

const TOLD_BELOW: ReadonlySet<string> = new Set(['logicalid', 'operation', 'time']);

function eventLines(event: ExplainedEvent): Record<string, string> {
  return {
    Change: `${event.operation}, committed ${event.time ?? 'at an unknown time'}`,
    Position: `LSN ${event.lsn}, sequence ${event.sequence}, stream group ${event.streamGroup}`,
    Segments: `${event.segments.join(', ')} in ${event.encoding}; ${event.missing ?? 'the event is whole'}`,
  };
}

function entriesLine(entries: readonly string[]): string {
  return entries.length === 0 ? 'none of the configuration is for this table' : entries.join(', ');
}

function tableLine(table: NonNullable<Explanation['table']>): string {
  const { source, replica, included, container, updates, deletes } = table;
  if (!included) return `${source}: left out by the configuration`;
  const choices = [
    ...(replica === source ? [] : [`${replica} in the replica`]),
    ...(container === undefined ? [] : [`container ${container}`]),
    `updates ${updates}`,
    `deletes ${deletes}`,
  ];
  return `${source}: ${choices.join(', ')}`;
}

function columnLines(columns: readonly ExplainedColumn[], width: number): string[] {
  const hasOld = columns.some(({ old }) => old !== undefined);
  const header = ['Column', 'SQL type', ...(hasOld ? ['Before'] : []), 'Sent', 'JSON', 'Configuration'];
  const rows = columns.map(({ name, sqlType = '(not declared)', old, current, json, treatment }) => [
    name,
    sqlType,
    ...(hasOld ? [sent(old)] : []),
    sent(current),
    json === undefined ? '' : JSON.stringify(json),
    treatment,
  ]);
  const isValue = (place: number): boolean => place > 1 && place < header.length - 1;
  const fixed = header.map((title, place) =>
    isValue(place) ? 0 : Math.max(...[title, ...rows.map((row) => row[place] ?? '')].map(displayWidth)),
  );
  const values = header.length - 3;
  const widest = Math.max(LEAST_VALUE_WIDTH, Math.floor((width - 2 - tableWidth(fixed)) / values));
  return textTable(
    header,
    rows.map((row) => row.map((cell, place) => (isValue(place) ? cutToWidth(cell, widest) : cell))),
  );
}

/** As the message has it: text in quotes, so that it differs from NULL and from nothing. */
function sent(value: string | null | undefined): string {
  if (value === undefined) return '';
  return value === null ? 'NULL' : JSON.stringify(value);
}

function outcomeLines(outcome: Outcome): string[] {
  switch (outcome.kind) {
    case 'written':
      return [
        'Would be written, where nothing of the row is stored yet:',
        ...outcome.items.flatMap((item) => shown(item, 2).split('\n')),
        ...outcome.notes.map((note) => `Note: ${note}`),
      ];
    case 'excluded':
      return [`Nothing would be written: ${outcome.reason}`];
    case 'parked':
      return ['Would be parked until the other segments come'];
    case 'dead-letter':
      return labelled({
        'Would be put aside': outcome.code,
        Message: outcome.message,
        Meaning: outcome.meaning,
        'What to do': outcome.action,
      });
    default:
      return outcome satisfies never;
  }
}

/** JSON with long texts cut. */
function shown(value: unknown, indent?: number): string {
  const cut = (_name: string, inner: unknown): unknown =>
    typeof inner === 'string' && inner.length > SHOWN_CHARACTERS
      ? `${inner.slice(0, SHOWN_CHARACTERS)}… (${inner.length.toLocaleString('en-US')} characters)`
      : inner;
  return JSON.stringify(value, cut, indent);
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}
