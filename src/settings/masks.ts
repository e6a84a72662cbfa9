import { createHmac } from 'node:crypto';
import type { TextMap } from '../replica/tableRules.ts';
import type { MaskConfig } from './configSchema.ts';

/** @param salt the setting MASK_SALT. */
export function masker(mask: MaskConfig, salt: string): TextMap {
  if (mask === 'hash') return hasher(salt);
  if ('fixed' in mask) return () => mask.fixed;
  return lastCharacters(mask.last);
}

/** HMAC-SHA256: without the salt nobody can try out likely values. */
export function hasher(salt: string): TextMap {
  return (text) => createHmac('sha256', salt).update(bytesOf(text)).digest('hex');
}

/**
 * UTF-8. Half of a surrogate pair has no such bytes, and all halves would be one replacement character, so that
 * distinct keys had one hash: it is written as if it had (WTF-8), which no other text is.
 */
function bytesOf(text: string): string | Buffer {
  if (text.isWellFormed()) return text;
  return Buffer.concat([...text].map((character) => Buffer.from(halfBytes(character) ?? character)));
}

function halfBytes(character: string): number[] | undefined {
  if (character.isWellFormed()) return undefined;
  const code = character.charCodeAt(0);
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)];
}

/** A text that is not longer than what may be shown of it would be shown whole. */
function lastCharacters(count: number): TextMap {
  return (text) => {
    const characters = [...text];
    return `****${characters.length > count ? characters.slice(-count).join('') : ''}`;
  };
}
