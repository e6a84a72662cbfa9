import { MAX_VALUE_BYTES } from './options.ts';
import type { Random } from './random.ts';
import { type SqlType, textCell } from './sqlValue.ts';

/**
 * Texts that break careless readers. None has a character U+0080..U+00BF: with those, real text could also be
 * read as UTF-8 bytes written one character each, and nobody could tell which was meant.
 */
const WORDS = [
  'Anna Doe',
  "O'Hara",
  'say "hi"',
  'c:\\temp\\x.txt',
  'a/b',
  'tab\there',
  'line\r\nbreak',
  'Zürich',
  'ÄÖÜß',
  'Ωmega',
  '漢字かな交じり',
  'Привет',
  '😀👩‍👩‍👧',
  'e\u0301',
  '\u2028\u2029',
  '\u0001\u001f\u007f',
  '\ufeffmark',
  '{"json":"\\u0041"}',
  'NULL',
  'null',
  '{}',
  '0012',
  '2026-08-07 16:25:00',
  '%2F#?&=+',
  '  padded  ',
];
const SINGLE_BYTE_WORDS = WORDS.filter((word) => [...word].every((character) => character <= '\u00ff'));

/** What ids, URLs and separators of ids are made of, and characters that look alike. */
const KEY_PARTS = [
  ...'/\\?#%.,: ~_-=+&\'"|@;!()[]{}',
  'A',
  'a',
  '0',
  '1',
  'é',
  'e\u0301',
  'ß',
  '漢',
  '😀',
  '%2F',
  '\t',
];
const MAX_KEY_PARTS = 7;

/** Share of the values of a wide column that are longer than one segment. */
const WIDE_SHARE = 0.12;
/** A wide value is at most so many times as long as a segment. */
const MOST_SEGMENTS = 4;
const EMPTY_SHARE = 0.05;

export const uniqueidentifier: SqlType = {
  name: 'uniqueidentifier',
  generate: (random) => textCell(random.guid().toUpperCase()),
};

export function nvarchar(length: number): SqlType {
  return { name: `nvarchar(${length})`, generate: (random) => textCell(words(random, WORDS, length)) };
}

export function varchar(length: number | 'max'): SqlType {
  return {
    name: `varchar(${length})`,
    generate: (random) => textCell(words(random, SINGLE_BYTE_WORDS, length === 'max' ? 100 : length)),
  };
}

/** Padded with spaces, which belong to the value. */
export function char(length: number): SqlType {
  return {
    name: `char(${length})`,
    generate: (random) => textCell(words(random, SINGLE_BYTE_WORDS, length).padEnd(length)),
  };
}

export function nchar(length: number): SqlType {
  return {
    name: `nchar(${length})`,
    generate: (random) => textCell(words(random, WORDS, length).padEnd(length)),
  };
}

/** Of its whole length. */
export function binary(length: number): SqlType {
  return { name: `binary(${length})`, generate: (random) => textCell(binaryText(random, length)) };
}

export function varbinary(length: number | 'max'): SqlType {
  const most = length === 'max' ? 40 : length;
  return {
    name: `varbinary(${length})`,
    generate: (random) => textCell(binaryText(random, random.integer(0, most))),
  };
}

function binaryText(random: Random, bytes: number): string {
  return `0x${random.hex(2 * bytes).toUpperCase()}`;
}

/** A type that SQL Server may have one day: of what a replica does not know, it keeps the text. */
export const unknownType: SqlType = {
  name: 'futuretype(7)',
  generate: (random) => textCell(random.pick(['', '0', '1.50', 'true', '[1,2]', '2026-08-07 16:25:00'])),
};

/** Odd keys of up to `length` UTF-16 code units, the empty text among them. */
export function nvarcharKey(length: number): SqlType {
  return {
    name: `nvarchar(${length})`,
    generate: (random) => {
      let text = '';
      for (let parts = random.integer(0, MAX_KEY_PARTS); parts > 0; parts -= 1) {
        const longer = text + random.pick(KEY_PARTS);
        if (longer.length <= length) text = longer;
      }
      return textCell(text);
    },
  };
}

/** Long text: some of its values need several segments of `segmentBytes`. */
export function nvarcharMax(segmentBytes: number): SqlType {
  const most = Math.min(segmentBytes * MOST_SEGMENTS, MAX_VALUE_BYTES);
  return {
    name: 'nvarchar(max)',
    generate: (random) => {
      if (!random.chance(WIDE_SHARE)) return textCell(words(random, WORDS, 100));
      const goal = random.integer(Math.min(segmentBytes, most), most);
      const parts: string[] = [];
      for (let bytes = 0; bytes < goal; ) {
        const word = random.pick(WORDS);
        parts.push(word);
        bytes += Buffer.byteLength(word);
      }
      return textCell(parts.join(''));
    },
  };
}

/** Text of nearly `bytes` bytes. */
export function nvarcharLarge(bytes: number): SqlType {
  return {
    name: 'nvarchar(max)',
    generate: (random) => {
      const part = `${random.guid()} ${random.pick(WORDS)} `;
      return textCell(part.repeat(Math.floor(bytes / Buffer.byteLength(part))));
    },
  };
}

/** Words of up to `length` UTF-16 code units in all, cut nowhere. */
function words(random: Random, from: readonly string[], length: number): string {
  if (random.chance(EMPTY_SHARE)) return '';
  let text = '';
  for (let count = random.integer(1, 3); count > 0; count -= 1) {
    const longer = text + random.pick(from);
    if (longer.length <= length) text = longer;
  }
  return text;
}
