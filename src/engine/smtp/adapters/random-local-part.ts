import { randomInt } from 'node:crypto';
import { words } from '../../address/words.js';

const ONSETS = words('b br d dr f g gr k kl l m n p pr r s st t v z');
const VOWELS = words('a e i o u ai ei ou');
const CODAS = ['', '', 'l', 'm', 'n', 'r', 's', 't', 'nd', 'sk'];

/**
 * A random local part that looks like a person's: two invented words and a number, as
 * `dravelnouk.prestimarn4817`. Starts with a letter, at most 64 octets, some 10^13 values. Spam filters
 * recognise random strings and treat them differently.
 */
export function randomLocalPart(): string {
  return `${word(3)}.${word(3)}${randomInt(1_000, 10_000)}`;
}

function word(syllables: number): string {
  return Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS) + pick(CODAS)).join('');
}

function pick(parts: readonly string[]): string {
  return parts[randomInt(parts.length)] ?? '';
}
