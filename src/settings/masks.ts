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
  return (text) => createHmac('sha256', salt).update(text).digest('hex');
}

/** A text that is not longer than what may be shown of it would be shown whole. */
function lastCharacters(count: number): TextMap {
  return (text) => {
    const characters = [...text];
    return `****${characters.length > count ? characters.slice(-count).join('') : ''}`;
  };
}
