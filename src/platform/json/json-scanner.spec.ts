import { describe, expect, it } from '@jest/globals';
import { TokenParser } from '@streamparser/json';
import fc from 'fast-check';
import { jsonErrorIn, JsonScanner } from './json-scanner.js';

describe('jsonErrorIn', () => {
  it.each([
    ['', 1, 1],
    ['  ', 1, 3],
    ['{', 1, 2],
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ['{a: 1}', 1, 2],
    ["{'a': 1}", 1, 2],
    ['{"a": tru}', 1, 7],
    ['{"a": 01}', 1, 8],
    ['{"a": 1.}', 1, 8],
    ['{"a": -}', 1, 7],
    ['{"a": NaN}', 1, 7],
    ['{"a": "b\\x"}', 1, 9],
    ['{"a": "b', 1, 9],
    ['{"a": "b\nc"}', 1, 9],
    ['{"a": 1}}', 1, 9],
    ['{"a": [1, 2}', 1, 12],
    ['[1,, 2]', 1, 4],
    ['[1 2]', 1, 4],
    ['[:]', 1, 2],
    ['{"a": 1}\n{"b": 2}', 2, 1],
    ['{\n  "email": "jane@example.com",\n  "team": nil\n}', 3, 11],
    ['{\r\n  "name": "J𝔬sé" "x"\r\n}', 2, 18],
  ])('%j has its first error at line %d, column %d', (text, line, column) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(jsonErrorIn(text)).toEqual({ line, column });
  });

  it('finds an error behind valid JSON, and near the end of truncated JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, cut) => {
        const start = text.slice(0, cut % text.length);
        fc.pre(!isJson(start));
        const position = jsonErrorIn(`${text}!`);
        expect(position).toEqual({ line: 1, column: [...text].length + 1 });
        // A part of a literal is not a token yet.
        expect(jsonErrorIn(start).column).toBeGreaterThan([...start].length - 25);
      }),
    );
  });

  it('takes linear time for any depth', () => {
    expect(jsonErrorIn('['.repeat(100_000))).toEqual({ line: 1, column: 100_001 });
    expect(jsonErrorIn(`${'['.repeat(50_000)}${'1,'.repeat(25_000)}`)).toEqual({ line: 1, column: 100_001 });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('JsonScanner', () => {
  it('finds the same position in pieces of any size', () => {
    const strings = fc.string({ unit: 'grapheme', maxLength: 40 });
    const lists = fc.array(fc.record({ email: strings, ref: fc.option(strings) }), { maxLength: 8 });
    const spaces = fc.constantFrom('', '\n', '\r\n  ');
    fc.assert(
      fc.property(lists, spaces, fc.integer({ min: 1, max: 50 }), fc.nat(), (emails, space, size, cut) => {
        const text = JSON.stringify({ refresh: true, emails }, null, space);
        const valid = text.slice(0, cut % text.length);
        const parser = new TokenParser();
        parser.onValue = () => undefined;
        const scanner = new JsonScanner(parser);
        for (let at = 0; at < valid.length; at += size) scanner.push(valid.slice(at, at + size));
        expect(scanner.errorIn('\u0007"')).toEqual(jsonErrorIn(`${valid}\u0007"`));
      }),
    );
  });
});
