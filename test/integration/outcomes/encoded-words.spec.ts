import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { decodedWords } from '../../../src/modules/events/outcome-intake/domain/reports/decoded-text.js';

describe('encoded words', () => {
  const made: string[] = [];
  const Known = globalThis.TextDecoder;
  const count = () =>
    jest.spyOn(globalThis, 'TextDecoder').mockImplementation((charset, options) => {
      made.push(charset ?? '');
      return new Known(charset, options);
    });
  afterEach(() => {
    jest.restoreAllMocks();
    made.length = 0;
  });

  it('are decoded up to the hundredth of a field', () => {
    const words = Array.from({ length: 120 }, () => '=?utf-8?Q?a?=').join('x');
    const decoded = decodedWords(words);
    expect(decoded.split('x').filter((word) => word === 'a')).toHaveLength(100);
    expect(decoded.split('x').at(-1)).toBe('=?utf-8?Q?a?=');
  });

  it.each(['windows-1257', 'x-nobody-knows'])('have one decoder for all words in %s', (charset) => {
    count();
    const words = Array.from({ length: 90 }, (_, at) => `=?${charset}?Q?word=${10 + at}?=`).join(' x ');
    decodedWords(words);
    decodedWords(words);
    expect(made).toEqual([charset]);
  });
});
