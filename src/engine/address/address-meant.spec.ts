import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressMeant } from './address-meant.js';
import { parseEmailAddress } from './email-address.js';
import { leastMs } from '../../../test/support/time/least-ms.js';

const ANNA = 'anna@people.example';

function faultOf(text: string): string {
  const parsed = parseEmailAddress(text);
  return parsed.ok ? 'accepted' : parsed.error;
}

describe('a text with an address and what a program puts around it', () => {
  it.each([
    'mailto:anna@people.example',
    'MAILTO:anna@people.example?subject=Hi&cc=ben@people.example',
    'mailto: anna@people.example',
    'smtp:anna@people.example',
    'E-Mail: anna@people.example',
    'Email:anna@people.example',
    'Anna Berg <anna@people.example>',
    'Anna Berg<anna@people.example>',
    '"Berg, Anna" <anna@people.example>',
    "'Anna Berg' <anna@people.example>",
    'Bruno Dünnwald <anna@people.example>',
    '安娜 <anna@people.example>',
    'anna@people.example <anna@people.example>',
    '"anna@people.example" <anna@people.example>',
    '<anna@people.example>',
    '<<anna@people.example>>',
    '<mailto:anna@people.example>',
    'Anna Berg <mailto:anna@people.example>',
    '[anna@people.example](mailto:anna@people.example)',
    '(anna@people.example)',
    '[anna@people.example]',
    '{anna@people.example}',
    'anna@people.example;',
    'anna@people.example,',
    'anna@people.example;;',
    'anna@people.example:',
    'anna@people.example>',
    'anna@people.example.,',
    ',anna@people.example',
    '; anna@people.example',
    "'anna@people.example",
    "'anna@people.example'",
    '"anna@people.example"',
    '“anna@people.example”',
    '„anna@people.example“',
    '»anna@people.example«',
    '«anna@people.example»',
    '‘anna@people.example’',
    '‹anna@people.example›',
    '`anna@people.example`',
    '*anna@people.example*',
    '_anna@people.example_ (old)',
    'anna@people.example (work)',
    'anna@people.example [private]',
    'anna@people.example Anna Berg',
    'anna@people.example - do not call',
    'Anna Berg (anna@people.example)',
    'Anna Berg - anna@people.example',
    'Anna | anna@people.example',
    'anna@people.example\t\u200b;',
    '\u201cAnna\u201d <anna@people.example>',
    'anna@people.example/',
    '="anna@people.example"',
    '1. <anna@people.example>',
  ])('is refused as wrapped, and means the address: %j', (text) => {
    expect([faultOf(text), addressMeant(text)]).toEqual(['wrapped', ANNA]);
  });

  it.each([
    'anna@people.example; ben@people.example',
    'anna@people.example, ben@people.example',
    'anna@people.example,ben@people.example',
    'anna@people.example;ben@people.example',
    'anna@people.example/ben@people.example',
    'anna@people.example / ben@people.example',
    'anna@people.example|ben@people.example',
    'anna@people.example\nben@people.example',
    'anna@people.example\r\nben@people.example',
    'anna@people.example ben@people.example',
    'anna@people.example ::: ben@people.example',
    'anna@people.example & ben@people.example',
    'anna@people.example and ben@people.example',
    'anna@people.example oder: ben@people.example',
    'Anna <anna@people.example>, Ben <ben@people.example>',
    '"Berg, Anna" <anna@people.example>; "Otto, Ben" <ben@people.example>',
    '<anna@people.example> <ben@people.example>',
    'anna@people.example (work), ben@people.example (home)',
    'mailto:anna@people.example,ben@people.example',
    'anna@people.example; not an address; ben@people.example; c@d@e',
    `anna@people.example${'; ben@people.example'.repeat(100)}`,
  ])('is refused as several, and means the first: %j', (text) => {
    expect([faultOf(text), addressMeant(text)]).toEqual(['several_addresses', ANNA]);
  });

  it.each([
    ['jane doe@people.example', 'local_part_character'],
    ['Anna Berg anna@people.example', 'local_part_character'],
    ['jane@people@example.com', 'local_part_character'],
    ['jane@gmail com', 'domain_label'],
    ['jane@yahoo.co uk', 'domain_label'],
    ['jane@gmail,com', 'domain_label'],
    ['jane@people.example,com', 'domain_label'],
    ['"jane"doe@people.example', 'quoted_string'],
    ['a;b@people.example', 'local_part_character'],
    ['jane@', 'domain_empty'],
    ['<jane>', 'no_at_sign'],
    ['<jane@people>', 'local_part_character'],
  ])('is refused by the fault of the text if no address stands apart: %j', (text, fault) => {
    expect([faultOf(text), addressMeant(text)]).toEqual([fault, null]);
  });

  it.each([
    "o'brien@people.example",
    'jane+tag@people.example',
    '"a@b"@people.example',
    '{jane}@people.example',
    '/jane=x/@people.example',
  ])('is no wrapped address if all of it is one: %j', (text) => {
    expect(faultOf(text)).toBe('accepted');
  });

  it('takes time linear in its length, whatever it contains', () => {
    const pieces = fc.constantFrom('@', 'a', '.', '<', '>', '"', ' ', ';', ',', '\u200b', "'", 'a@b.cd', ':');
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 900, maxLength: 1_000 }), (texts) => {
        expect(leastMs(200, () => addressMeant(texts.join('')))).toBeLessThan(200);
      }),
      { numRuns: 50 },
    );
  });
});

/** White space and characters that nobody sees. */
const INVISIBLE = [
  ...[
    '\u0020',
    '\u0009',
    '\u000a',
    '\u0085',
    '\u00a0',
    '\u1680',
    '\u2003',
    '\u2007',
    '\u202f',
    '\u205f',
    '\u3000',
  ],
  ...['\u2028', '\u2029', '\ufeff', '\u00ad', '\u034f', '\u061c', '\u115f', '\u1160', '\u17b4', '\u180e'],
  ...['\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
  ...[
    '\u2060',
    '\u2061',
    '\u2062',
    '\u2063',
    '\u2064',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\u206a',
    '\u206f',
  ],
  ...['\u2800', '\u3164', '\uffa0', '\ufe0e', '\ufe0f', '\ufff9', '\u{e0020}', '\u{e007f}', '\u{1d173}'],
];

describe('a character that nobody sees', () => {
  it.each(INVISIBLE)('is no part of an address at its ends: %j', (character) => {
    for (const text of [character + ANNA, ANNA + character, `${character} ${character}${ANNA}${character}`])
      expect(parseEmailAddress(text)).toMatchObject({ ok: true, address: { normalized: ANNA } });
  });

  it.each(
    INVISIBLE.filter((character) => !/[^\S\ufeff]|[\u0085\u200c\u200d\ufe0e\ufe0f\u2800]/.test(character)),
  )('is a fault inside, and the address without it is meant: %j', (character) => {
    for (const text of [`an${character}na@people.example`, `anna@peo${character}ple.example`]) {
      expect(faultOf(text)).toMatch(/^(local_part_character|domain_idna)$/);
      expect(addressMeant(text)).toBe(ANNA);
    }
  });

  it('is a fault inside a wrapped address too', () => {
    expect(addressMeant('Anna <an\u200bna@people.example>')).toBe(ANNA);
    expect(addressMeant('anna\u00a0@\u00a0people.example')).toBe(ANNA);
  });

  it.each(['\0', '\x7f', '\ufffd', '\ud800', '\u0600'])('is none if it is %j', (character) => {
    expect(parseEmailAddress(ANNA + character).ok).toBe(false);
  });
});

it.each([
  ['anna..berg@docomo.example', '"anna..berg"@docomo.example'],
  ['anna.@docomo.example', '"anna."@docomo.example'],
  ['.anna@docomo.example', '".anna"@docomo.example'],
  ['a...b.@DOCOMO.example', '"a...b."@docomo.example'],
])('A local part with dots that only quotes allow means the quoted spelling: %s', (text, meant) => {
  expect([faultOf(text), addressMeant(text)]).toEqual(['local_part_dot', meant]);
});

it.each(['', ' ', 'jane', 'jane.people.example', '@', '@people.example', '\u200b', 'x'.repeat(5_000)])(
  'Nothing is meant by %j',
  (text) => {
    expect(addressMeant(text)).toBeNull();
  },
);
