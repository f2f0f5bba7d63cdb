import { describe, expect, it } from '@jest/globals';
import { type EmailAddress, parseEmailAddress, type AddressSyntaxError } from './email-address.js';

function parsed(text: string): EmailAddress {
  const result = parseEmailAddress(text);
  if (!result.ok) throw new Error(`${JSON.stringify(text)} was refused: ${result.error}`);
  return result.address;
}

function faultOf(text: string): AddressSyntaxError | 'accepted' {
  const result = parseEmailAddress(text);
  return result.ok ? 'accepted' : result.error;
}

const a = (length: number): string => 'a'.repeat(length);

describe('an accepted address', () => {
  // written, normalized, key, mailbox
  it.each([
    ['jane@example.com', 'jane@example.com', 'jane@example.com', 'jane@example.com'],
    ['Jane.Doe@EXAMPLE.Com', 'Jane.Doe@example.com', 'jane.doe@example.com', 'Jane.Doe@example.com'],
    ['"john"@x.com', 'john@x.com', 'john@x.com', '"john"@x.com'],
    ['"John.Doe"@x.com', 'John.Doe@x.com', 'john.doe@x.com', '"John.Doe"@x.com'],
    ['"a\\b"@x.com', 'ab@x.com', 'ab@x.com', '"a\\b"@x.com'],
    ['"A b"@x.com', '"A b"@x.com', '"a b"@x.com', '"A b"@x.com'],
    ['"a\\ \\b"@x.com', '"a b"@x.com', '"a b"@x.com', '"a\\ \\b"@x.com'],
    ['"a\\"b"@x.com', '"a\\"b"@x.com', '"a\\"b"@x.com', '"a\\"b"@x.com'],
    ['"a\\\\b"@x.com', '"a\\\\b"@x.com', '"a\\\\b"@x.com', '"a\\\\b"@x.com'],
    ['"a@b"@x.com', '"a@b"@x.com', '"a@b"@x.com', '"a@b"@x.com'],
    ['"a..b"@x.com', '"a..b"@x.com', '"a..b"@x.com', '"a..b"@x.com'],
    ['"<>,;:[]()"@x.com', '"<>,;:[]()"@x.com', '"<>,;:[]()"@x.com', '"<>,;:[]()"@x.com'],
    ['""@x.com', '""@x.com', '""@x.com', '""@x.com'],
    [
      "!#$%&'*+-/=?^_`{|}~@x.com",
      "!#$%&'*+-/=?^_`{|}~@x.com",
      "!#$%&'*+-/=?^_`{|}~@x.com",
      "!#$%&'*+-/=?^_`{|}~@x.com",
    ],
    ['jane@München.de', 'jane@xn--mnchen-3ya.de', 'jane@xn--mnchen-3ya.de', 'jane@xn--mnchen-3ya.de'],
    ['jane@XN--MNCHEN-3YA.de', 'jane@xn--mnchen-3ya.de', 'jane@xn--mnchen-3ya.de', 'jane@xn--mnchen-3ya.de'],
    ['jane@faß.de', 'jane@xn--fa-hia.de', 'jane@xn--fa-hia.de', 'jane@xn--fa-hia.de'],
    [
      'jane@例え。テスト',
      'jane@xn--r8jz45g.xn--zckzah',
      'jane@xn--r8jz45g.xn--zckzah',
      'jane@xn--r8jz45g.xn--zckzah',
    ],
    ['jane@ｅｘａｍｐｌｅ．com', 'jane@example.com', 'jane@example.com', 'jane@example.com'],
    ['JOSÉ@x.com', 'JOSÉ@x.com', 'josÉ@x.com', 'JOSÉ@x.com'],
    // A small t composes with the accent, the capital does not.
    ['T\u0308om@x.com', 'T\u0308om@x.com', '\u1E97om@x.com', 'T\u0308om@x.com'],
    [
      '用户@例子.广告',
      '用户@xn--fsqu00a.xn--4rr70v',
      '用户@xn--fsqu00a.xn--4rr70v',
      '用户@xn--fsqu00a.xn--4rr70v',
    ],
    ['jane@localhost', 'jane@localhost', 'jane@localhost', 'jane@localhost'],
    ['jane@1and1.com', 'jane@1and1.com', 'jane@1and1.com', 'jane@1and1.com'],
    ['jane@163.com', 'jane@163.com', 'jane@163.com', 'jane@163.com'],
  ])('%j has its normalized, key and mailbox forms', (written, normalized, key, mailbox) => {
    expect(parsed(written)).toMatchObject({ normalized, key, mailbox });
  });

  it.each(
    [
      ' ',
      '\t',
      '\r\n',
      '\v\f',
      '\u0085',
      '\u00a0',
      '\u1680',
      '\u2000',
      '\u200a',
      '\u2028',
      '\u2029',
      '\u202f',
      '\u205f',
      '\u3000',
      '\ufeff',
      ' \u00a0\t \ufeff',
    ].map((space) => [space]),
  )('may stand between %j, which is ignored', (space) => {
    expect(parsed(`${space}"Jane Doe"@x.com${space}`)).toEqual(parsed('"Jane Doe"@x.com'));
  });

  it('is displayed and probed in NFC, and keeps the spelling as written', () => {
    const address = parsed('jose\u0301@x.com');
    expect(address.localPart).toBe('jos\u00e9');
    expect(address.normalized).toBe('jos\u00e9@x.com');
    expect(address.mailbox).toBe('jos\u00e9@x.com');
    expect(address.mailboxAsWritten).toBe('jose\u0301@x.com');
    expect(parsed('jos\u00e9@x.com').mailboxAsWritten).toBeNull();
    expect(address.key).toBe(parsed('jos\u00e9@x.com').key);
  });

  it.each([
    ['jane@example.com', false],
    ['jane@münchen.de', false],
    ['josé@example.com', true],
    ['"josé"@example.com', true],
    ['jose\u0301@example.com', true],
    // The Kelvin sign is a K in NFC.
    ['\u212A@example.com', false],
  ])('%j needs SMTPUTF8: %s (depends on its local part in NFC)', (text, international) => {
    expect(parsed(text).international).toBe(international);
  });

  it.each([
    ['jane@x.com', null],
    ['jane+news@x.com', 'news'],
    ['jane+a+b@x.com', 'a+b'],
    ['jane+@x.com', ''],
    ['+jane@x.com', null],
    ['"jane+news"@x.com', 'news'],
    ['"jane doe+news"@x.com', null],
  ])('%j has the subaddress %j', (text, subaddress) => {
    expect(parsed(text).subaddress).toBe(subaddress);
  });

  it.each([
    ['64 octets of local part', `${a(64)}@x.com`],
    ['32 two-octet letters of local part', `${'é'.repeat(32)}@x.com`],
    ['63 octets of label', `a@${a(63)}.com`],
    ['254 octets in all', `${a(64)}@${a(63)}.${a(63)}.${a(57)}.com`],
    ['57 umlauts, which are 63 octets as A-label', `a@${'ü'.repeat(57)}.de`],
  ])('may have %s', (_, text) => {
    expect(faultOf(text)).toBe('accepted');
  });

  it.each([
    ['a Persian local part, spelled with a joiner', 'می\u200cخواهم@x.com'],
    ['an emoji that a joiner makes of two', '👩\u200d💻@x.com'],
    ['a Japanese name with its variant glyph', '葛\u{E0100}城@x.com'],
  ])('may be %s', (_, text) => {
    expect(faultOf(text)).toBe('accepted');
  });
});

describe('a refused text', () => {
  it.each<[string, AddressSyntaxError]>([
    ['', 'empty'],
    ['   ', 'empty'],
    ['jane', 'no_at_sign'],
    ['jane＠x.com', 'no_at_sign'],
    ['@', 'local_part_empty'],
    ['@x.com', 'local_part_empty'],
    [`${a(65)}@x.com`, 'local_part_too_long'],
    [`${'é'.repeat(33)}@x.com`, 'local_part_too_long'],
    // 63 octets as written, 126 in NFC.
    [`${'\u0958'.repeat(21)}@x.com`, 'local_part_too_long'],
    ['jane @x.com', 'local_part_character'],
    ['jane doe@x.com', 'local_part_character'],
    ['jane@ x.com', 'domain_label'],
    ['jane@x. com', 'domain_label'],
    ['Jane <jane@x.com', 'wrapped'],
    ['jane@doe@x.com', 'local_part_character'],
    ['jane(work)@x.com', 'local_part_character'],
    ['a;b@x.com', 'local_part_character'],
    ['jane"doe"@x.com', 'local_part_character'],
    ['jane\r\n@x.com', 'local_part_character'],
    ['"jane\r\nDATA"@x.com', 'local_part_character'],
    ['"jane\0"@x.com', 'local_part_character'],
    ['"jane\tdoe"@x.com', 'local_part_character'],
    ['jane>@x.com', 'local_part_character'],
    ['<jane@x.com', 'wrapped'],
    ['"jane">@x.com', 'quoted_string'],
    ['jane\x7f@x.com', 'local_part_character'],
    ['jane\u0085@x.com', 'local_part_character'],
    ['jane\u00a0@x.com', 'local_part_character'],
    ['jane\u00ad@x.com', 'local_part_character'],
    ['jane\u3000@x.com', 'local_part_character'],
    ['jane\u200b@x.com', 'local_part_character'],
    ['jane\u200d@x.com', 'local_part_character'],
    ['jane\u202e@x.com', 'local_part_character'],
    ['"jane\u2028"@x.com', 'local_part_character'],
    ['jane\u2029@x.com', 'local_part_character'],
    ['jane\ufeff@x.com', 'local_part_character'],
    ['jane\ufffd@x.com', 'local_part_character'],
    ['jane\ud800@x.com', 'local_part_character'],
    ['\udc00jane@x.com', 'local_part_character'],
    ['a\u037eb@x.com', 'local_part_character'],
    ['<\u0338@x.com', 'local_part_character'],
    ['.jane@x.com', 'local_part_dot'],
    ['jane.@x.com', 'local_part_dot'],
    ['jane..doe@x.com', 'local_part_dot'],
    ['.@x.com', 'local_part_dot'],
    ['"@x.com', 'quoted_string'],
    ['"jane@x.com', 'quoted_string'],
    ['"jane\\"@x.com', 'quoted_string'],
    ['"jane"doe@x.com', 'quoted_string'],
    ['"jane"."doe"@x.com', 'quoted_string'],
    ['"ja"ne"@x.com', 'quoted_string'],
    ['"\\é"@x.com', 'quoted_string'],
    ['jane@', 'domain_empty'],
    [`jane@${'a.'.repeat(130)}com`, 'domain_too_long'],
    [`${a(64)}@${a(63)}.${a(63)}.${a(58)}.com`, 'too_long'],
    // 231 octets as written, 261 in NFC.
    [`${'\u0958'.repeat(10)}@${a(63)}.${a(63)}.${a(63)}.${a(8)}`, 'too_long'],
    [`jane@x.com${a(1_000)}`, 'too_long'],
    ['jane@x.com.', 'domain_label'],
    ['jane@.x.com', 'domain_label'],
    ['jane@x..com', 'domain_label'],
    ['jane@x.com>', 'wrapped'],
    ['jane@x.com (work)', 'wrapped'],
    ['jane@x_y.com', 'domain_label'],
    ['jane@-x.com', 'domain_label'],
    ['jane@x-.com', 'domain_label'],
    ['jane@ab--cd.com', 'domain_label'],
    ['jane@x.a---cd.com', 'domain_label'],
    [`jane@${a(64)}.com`, 'domain_label'],
    [`jane@${'ü'.repeat(58)}.com`, 'domain_label'],
    ['jane@1.2.3.4', 'domain_label'],
    ['jane@x.123', 'domain_label'],
    ['jane@127.0.0.0x1', 'domain_label'],
    ['jane@0x7f000001', 'domain_label'],
    ['jane@１２７.０.０.１', 'domain_label'],
    ['jane@０x7f.1', 'domain_label'],
    ['jane@x%2ecom', 'domain_label'],
    ['jane@ü%2ecom', 'domain_label'],
    ['jane@ü/x.com', 'domain_label'],
    ['jane@ü:25', 'domain_label'],
    ['jane@ü\t.com', 'domain_label'],
    ['jane@ü_x.com', 'domain_label'],
    ['jane@ü..com', 'domain_label'],
    ['jane@ü.com。', 'domain_label'],
    ['jane@x／y.com', 'domain_idna'],
    ['jane@x\u200b.com', 'domain_idna'],
    ['jane@x\u00ad.com', 'domain_idna'],
    ['jane@x\u200d.com', 'domain_idna'],
    ['jane@\ud800.com', 'domain_idna'],
    ['jane@אa.com', 'domain_idna'],
    ['jane@ü-.com', 'domain_idna'],
    ['jane@ab--ü.com', 'domain_idna'],
    ['jane@xn--a.com', 'domain_idna'],
    ['jane@xn--.com', 'domain_idna'],
    ['jane@xn--abc-.com', 'domain_idna'],
    ['jane@xn--xn---epa.com', 'domain_idna'],
    ['jane@[192.0.2.1]', 'address_literal'],
    ['jane@[IPv6:2001:db8::1]', 'address_literal'],
    ['jane@[192.0.2.1', 'domain_label'],
  ])('%j: %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });
});

describe('any text', () => {
  it.each([
    ['at signs', '@'.repeat(1_000_000)],
    ['quotes and escapes', '"\\'.repeat(500_000)],
    ['dots', `${'a.'.repeat(500_000)}@x.com`],
    ['combining marks', `a${'\u0301'.repeat(1_000_000)}@x.com`],
    ['umlauts in the domain', `a@${'ü'.repeat(1_000_000)}`],
    ['white space inside', `a${' '.repeat(1_000_000)}a`],
  ])('of a megabyte of %s is refused by its length', (_, text) => {
    expect(faultOf(text)).toBe('too_long');
  });

  // `test/architecture/patterns.spec.ts` shows that the patterns for shorter texts take linear time.
  it('of up to 1,000 characters is parsed, and a longer one is not', () => {
    expect(faultOf('@'.repeat(1_000))).not.toBe('too_long');
    expect(faultOf('@'.repeat(1_001))).toBe('too_long');
  });
});
