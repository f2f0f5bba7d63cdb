import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
// `expect` takes longer than what is tested here; `assert` does not.
import assert from 'node:assert/strict';
import { domainToUnicode } from 'node:url';
import {
  address,
  anyText,
  domain,
  letter,
  localPart,
} from '../../../test/support/verification/address-texts.js';
import { RUNS } from '../../../test/support/verification/property-runs.js';
import { parseDomainName } from '../../kernel/text/domain-name.js';
import { parseEmailAddress, type EmailAddress } from './email-address.js';

const octets = (text: string) => Buffer.byteLength(text);

function parsed(text: string): EmailAddress {
  const result = parseEmailAddress(text);
  if (!result.ok) throw new Error(`${JSON.stringify(text)} was refused: ${result.error}`);
  return result.address;
}

describe('an accepted address', () => {
  it('contains no line break, NUL or other control character, and angle brackets in quotes only', () => {
    let taken = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        const result = parseEmailAddress(text);
        if (!result.ok) return;
        taken += 1;
        const { localPart: local, domain: name, normalized, key, mailbox, mailboxAsWritten } = result.address;
        assert.doesNotMatch(
          Object.values(result.address).join(''),
          /[\x00-\x1f\x7f-\x9f\u2028\u2029]|\p{Cs}/u,
        );
        assert.doesNotMatch(name, /[<>]/);
        for (const text of [local, normalized, key, mailbox, mailboxAsWritten ?? '']) {
          assert.match(text, /^"|^[^<>]*$/);
        }
      }),
      RUNS,
    );
    expect(taken).toBeGreaterThan(RUNS.numRuns / 40);
  });

  it('is normalized to an address, the same one, and idempotently', () => {
    fc.assert(
      fc.property(fc.oneof(address, anyText), (text) => {
        const result = parseEmailAddress(text);
        if (!result.ok) return;
        const { normalized, key, domain: name } = result.address;
        const again = parsed(normalized);
        assert.deepEqual([again.normalized, again.key, again.domain], [normalized, key, name]);
        assert.equal(normalized.normalize('NFC'), normalized);
      }),
      RUNS,
    );
  });

  it('is within the limits, which count octets', () => {
    const long = fc
      .tuple(
        fc.array(letter, { maxLength: 70 }),
        fc.array(fc.array(letter, { minLength: 1, maxLength: 66 }), { maxLength: 5 }),
      )
      .map(([local, labels]) => `${local.join('')}@${labels.map((letters) => letters.join('')).join('.')}`);
    fc.assert(
      fc.property(long, (text) => {
        const result = parseEmailAddress(text);
        if (!result.ok) return;
        const { mailbox, normalized, localPart: local, domain: name } = result.address;
        for (const text of [mailbox, normalized]) assert.ok(octets(text) <= 254);
        assert.ok(octets(local) <= 64);
        assert.ok(octets(mailbox.slice(0, mailbox.lastIndexOf('@'))) <= 64);
        assert.ok(name.length <= 253);
        for (const part of name.split('.')) assert.ok(part.length <= 63);
      }),
      RUNS,
    );
  });
});

describe('an address of the grammar', () => {
  it('is accepted', () => {
    fc.assert(
      fc.property(address, (text) => parseEmailAddress(text).ok),
      RUNS,
    );
  });

  it('is sent to the server in NFC, and keeps the spelling as written where that differs', () => {
    fc.assert(
      fc.property(address, (text) => {
        const { mailbox, mailboxAsWritten } = parsed(text);
        const written = text.slice(0, text.lastIndexOf('@'));
        const local = mailbox.slice(0, mailbox.lastIndexOf('@'));
        assert.equal(local, written.normalize('NFC'));
        const asWritten = mailboxAsWritten ?? mailbox;
        assert.equal(asWritten.slice(0, asWritten.lastIndexOf('@')), written);
        assert.equal(mailboxAsWritten === null, local === written);
        assert.match(mailbox, /@[a-z0-9.-]+$/);
      }),
      RUNS,
    );
  });
});

describe('the key of an address', () => {
  /** Spellings that are one address by the contract. */
  const SPELLINGS: Readonly<Record<string, (local: string, name: string) => string>> = {
    'in capitals, where they are ASCII': (local, name) =>
      `${local.normalize('NFC').replace(/[a-z]/g, (c) => c.toUpperCase())}@${name}`,
    'in small letters, where they are ASCII': (local, name) =>
      `${local.normalize('NFC').replace(/[A-Z]/g, (c) => c.toLowerCase())}@${name}`,
    'between white space': (local, name) => `\u00a0 ${local}@${name}\t\ufeff\r\n`,
    'taken apart': (local, name) => `${local.normalize('NFD')}@${name}`,
    'put together': (local, name) => `${local.normalize('NFC')}@${name}`,
    'in quotes that it does not need': (local, name) =>
      (local.startsWith('"') ? local : `"${local}"`) + `@${name}`,
    'with a domain in capitals': (local, name) => `${local}@${name.toUpperCase().replaceAll('SS', 'ß')}`,
    'with a domain of A-labels': (local) => local,
    'with full-width dots': (local, name) => `${local}@${name.replaceAll('.', '。')}`,
  };

  it.each(Object.entries(SPELLINGS))('is the same for %s', (what, spell) => {
    fc.assert(
      fc.property(localPart, domain, (local, name) => {
        const written = parseEmailAddress(`${local}@${name}`);
        if (!written.ok) return;
        const other =
          what === 'with a domain of A-labels' ? `${local}@${written.address.domain}` : spell(local, name);
        const result = parseEmailAddress(other);
        // Another spelling may be too long, and fails for no other reason.
        if (!result.ok) assert.match(result.error, /too_long$/);
        else assert.equal(result.address.key, written.address.key);
      }),
      RUNS,
    );
  });

  it('is an address with the same key', () => {
    fc.assert(
      fc.property(fc.oneof(address, anyText), (text) => {
        const result = parseEmailAddress(text);
        if (result.ok) assert.equal(parsed(result.address.key).key, result.address.key);
      }),
      RUNS,
    );
  });

  it('distinguishes two addresses that differ in more than that', () => {
    const bare = fc.stringMatching(/^[a-z0-9éя]{1,8}$/);
    fc.assert(
      fc.property(bare, bare, (one, other) => {
        fc.pre(one !== other);
        assert.notEqual(parsed(`${one}@x.com`).key, parsed(`${other}@x.com`).key);
      }),
      RUNS,
    );
  });
});

describe('a domain', () => {
  it('is the same when its U-labels are parsed again', () => {
    fc.assert(
      fc.property(domain, (name) => {
        const first = parseDomainName(name);
        if (!first.ok) throw new Error(first.error);
        assert.deepEqual(parseDomainName(domainToUnicode(first.domain)), first);
        assert.deepEqual(parseDomainName(first.domain), first);
      }),
      RUNS,
    );
  });
});
