import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '../../kernel/errors.js';
import { MalformedHttp } from './problems/problems.js';
import { parseQueryString } from './query-string.js';

describe('parseQueryString', () => {
  it.each<[string, Record<string, string | string[]>]>([
    ['', {}],
    ['&&', {}],
    ['email=jane@example.com', { email: 'jane@example.com' }],
    ['email=jane%40example.com', { email: 'jane@example.com' }],
    ['a=1&b=2&', { a: '1', b: '2' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', { '': '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['email=jos%C3%A9@example.com', { email: 'josé@example.com' }],
    ['email=josé@example.com', { email: 'josé@example.com' }],
    ['e%6Dail=1', { email: '1' }],
    ['a[b]=1', { 'a[b]': '1' }],
    ['a.b=1;c=2', { 'a.b': '1;c=2' }],
  ])('%j', (text, query) => {
    expect({ ...parseQueryString(text) }).toEqual(query);
  });

  it('reads a plus sign in email as a plus sign', () => {
    expect(parseQueryString('email=jane+news@example.com').email).toBe('jane+news@example.com');
    expect(parseQueryString('email=jane%2Bnews@example.com').email).toBe('jane+news@example.com');
    expect(parseQueryString('email=jane%2bnews@example.com').email).toBe('jane+news@example.com');
  });

  it('reads a plus sign in every other parameter as a space, as URLSearchParams writes it', () => {
    const parameters = { email_column: 'Work Email', name: 'my list + more', 'a b': '1 2' };
    const text = new URLSearchParams(parameters).toString();
    expect(text).toContain('Work+Email');
    expect({ ...parseQueryString(text) }).toEqual(parameters);
    expect(parseQueryString('emails=a+b').emails).toBe('a b');
  });

  it('reads %20 as a space', () => {
    expect(parseQueryString('email=jane%20doe@example.com').email).toBe('jane doe@example.com');
  });

  it.each([
    ['%22a+b%22@x.com', '"a b"@x.com'],
    ['"a+b"@x.com', '"a b"@x.com'],
    ['%22a%20b%22@x.com', '"a b"@x.com'],
    ['%22a%2Bb%22@x.com', '"a+b"@x.com'],
  ])('decodes a value with a quotation mark as form data: %s', (written, expected) => {
    expect(parseQueryString(`email=${written}`).email).toBe(expected);
  });

  it('decodes other values independently of a value with a quotation mark', () => {
    expect({ ...parseQueryString('email=%22b+c%22&d=%22&email=e+f') }).toEqual({
      email: ['"b c"', 'e+f'],
      d: '"',
    });
  });

  it('returns an array for a repeated name, encoded or not', () => {
    expect(parseQueryString('a=1&b=2&a=3&%61=4').a).toEqual(['1', '3', '4']);
    expect(parseQueryString('a&a').a).toEqual(['', '']);
  });

  it.each(['a=%', 'a=%zz', 'a=%C3', 'a=%ff', '%=1', 'a=%C0%AF', 'a=%ED%A0%80'])('rejects %s', (text) => {
    expect(() => parseQueryString(text)).toThrow(MalformedHttp);
  });

  it('stores names separately from inherited properties', () => {
    const query = parseQueryString('__proto__=1&constructor=2&__proto__=3');
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor']);
    expect(query['__proto__']).toEqual(['1', '3']);
    expect('toString' in parseQueryString('a=1')).toBe(false);
  });

  it('returns an empty object for an empty query', () => {
    expect({ ...parseQueryString('') }).toEqual({});
  });

  it('accepts 100 pairs, and rejects the next one by its name', () => {
    const names = Array.from({ length: 100 }, (_, i) => `n${i}`);
    expect(Object.keys(parseQueryString(names.join('&')))).toEqual(names);
    expect(parseQueryString('a&'.repeat(100)).a).toHaveLength(100);
    for (const text of [`${names.join('&')}&a~b=1`, `${'a&&'.repeat(100)}a~b=%zz`, 'a&'.repeat(8_000)]) {
      const error = errorOf(text);
      expect(error).toMatchObject({ fieldErrors: [{ code: 'too_many_parameters' }] });
      expect(error.fieldErrors[0]?.pointer).toBe(text.includes('~') ? '/a~0b' : '/a');
    }
  });

  it('parses nothing after the first pair beyond the limit', () => {
    expect(errorOf(`${'a&'.repeat(101)}%zz`)).toBeInstanceOf(InvalidRequest);
  });
});

function errorOf(text: string): InvalidRequest {
  try {
    parseQueryString(text);
  } catch (error) {
    if (error instanceof InvalidRequest) return error;
    throw error;
  }
  throw new Error('The query was accepted');
}
