import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../../../../kernel/principal.js';
import type { ApiKey } from './api-key.js';

/**
 * The text of a key: `rcpt_live_`, `rcpt_test_` or `rcpt_pub_`, 32 random base62 characters (190 bits), and their
 * CRC-32 in 6 more. The checksum detects mistyped and truncated keys without a look-up, and lets
 * scanners find leaked keys.
 */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^rcpt_(live|test|pub)_[0-9A-Za-z]{38}$/;
const CHECKSUM_LENGTH = 6;

/** What a key begins with: its mode, or `pub` for a publishable key of either mode. */
export type KeyPrefix = `rcpt_${Mode | 'pub'}_`;

export function prefixOf({ mode, publishable }: Pick<ApiKey, 'mode' | 'publishable'>): KeyPrefix {
  return `rcpt_${publishable === null ? mode : 'pub'}_`;
}

export function newSecretKey(prefix: KeyPrefix): string {
  const random = Array.from({ length: 32 }, () => BASE62[randomInt(BASE62.length)]).join('');
  const body = prefix + random;
  return body + checksum(body);
}

/** Whether the text has the form and checksum of a key. */
export function looksLikeKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The stored digest: 32 bytes. A plain hash suffices, because keys are random. */
export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
