import { expect, it } from '@jest/globals';
import { printable, printableJson, printableLines } from './printable.js';

const HOSTILE = 'a\x1b]0;owned\x07\x1b[2J\n\u009b31m  b\u202ecod\u2066\u200f.exe\u2028c\x7f';
const CONTROLS = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

it('makes one line of a text, without controls and without bidirectional formatting', () => {
  expect(printable(HOSTILE)).toBe('a ]0;owned [2J 31m bcod.exe c');
});

it('keeps the lines and the spaces of several lines', () => {
  expect(printableLines('status   3\n  \x1b[31mreason\u202e  2')).toBe('status   3\n   [31mreason  2');
  expect(printableLines(HOSTILE)).not.toMatch(CONTROLS);
});

it('escapes them in JSON, which has the same value', () => {
  const value = { [HOSTILE]: [HOSTILE, 'jos\u00e9 \u{1f600}'] };
  expect(printableJson(value)).not.toMatch(CONTROLS);
  expect(JSON.parse(printableJson(value))).toEqual(value);
  expect(printableJson({ a: 1 })).toBe('{\n  "a": 1\n}');
});
