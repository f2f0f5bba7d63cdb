import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import assert from 'node:assert/strict';
import { RUNS } from '../../../test/support/verification/property-runs.js';
import { MAILBOX_RULES } from '../providers/mailbox-rules.js';
import { canonicalEmail } from './canonical-email.js';
import { parseEmailAddress } from './email-address.js';

function canonicalOf(text: string): string | null {
  const parsed = parseEmailAddress(text);
  return parsed.ok ? canonicalEmail(parsed.address) : null;
}

describe('the canonical address', () => {
  it.each([
    // Google: dots and case mean nothing, and there are two domains.
    ['jane@gmail.com', 'jane@gmail.com'],
    ['J.a.n.e+news@GoogleMail.com', 'jane@gmail.com'],
    ['jane.+news@gmail.com', 'jane@gmail.com'],
    ['jane-doe_1@gmail.com', 'jane-doe_1@gmail.com'],
    // Microsoft: each domain has its own names, and a dot is a letter.
    ['Jane.Doe+a+b@hotmail.co.uk', 'jane.doe@hotmail.co.uk'],
    ['jane+x@live.de', 'jane@live.de'],
    ['jane-x@outlook.com', 'jane-x@outlook.com'],
    // Apple
    ['jane.doe+x@icloud.com', 'jane.doe@icloud.com'],
    ['jane+x@me.com', 'jane@me.com'],
    ['jane@mac.com', 'jane@mac.com'],
    // Fastmail
    ['jane+x@fastmail.fm', 'jane@fastmail.fm'],
    ['Shop.1+x@Jane.fastmail.com', 'jane@fastmail.com'],
    // Proton, Zoho
    ['jane.doe+x@proton.me', 'jane.doe@proton.me'],
    ['jane+x@pm.me', 'jane@pm.me'],
    ['jane+x@zohomail.in', 'jane@zohomail.in'],
    // Yandex: one mailbox in all domains.
    ['jane+x@ya.ru', 'jane@yandex.ru'],
    ['Jane@yandex.com', 'jane@yandex.ru'],
    // Yahoo: a hyphen, and no plus.
    ['jane-shop-1@yahoo.co.uk', 'jane@yahoo.co.uk'],
    ['jane.doe_1@ymail.com', 'jane.doe_1@ymail.com'],
    ['jane+x@yahoo.com', 'jane+x@yahoo.com'],
  ])('of %s is %s', (written, canonical) => {
    expect(canonicalOf(written)).toBe(canonical);
  });

  it.each([
    ['another domain', 'jane+x@example.com'],
    ['a domain that could be hosted by Google', 'j.ane+x@google.com'],
    ['a subdomain of a provider', 'jane@mail.gmail.com'],
    ['two labels in front of Fastmail', 'x@a.jane.fastmail.com'],
    ['a hyphen in a subdomain, which may be an underscore', 'x@jane-doe.fastmail.com'],
    ['a domain whose end is the name of a provider', 'jane@notgmail.com'],
    ['Yahoo Japan', 'jane-x@yahoo.co.jp'],
    ['nothing in front of the separator', '+x@gmail.com'],
    ['nothing in front of a hyphen', '-x@yahoo.com'],
    ['a name that ends with a dot', 'jane.+x@outlook.com'],
    ['a quoted name', '"jane doe"@gmail.com'],
    ['unnecessary quotes', '"jane"@gmail.com'],
    ['a name that is not ASCII', 'jané+x@gmail.com'],
    ['a capital whose small letter has two characters', '\u0130ane@outlook.com'],
    ['an internationalized domain', 'jane@gmäil.com'],
    ['no address', 'jane'],
    ['no text', ''],
  ])('is not known for %s', (_, written) => {
    expect(canonicalOf(written)).toBeNull();
  });

  const domains = MAILBOX_RULES.flatMap((rule) => rule.domains.map((domain) => ({ rule, domain })));
  const localPart = fc.stringMatching(/^[A-Za-z0-9+._-]{1,16}$/);
  const label = fc.stringMatching(/^([a-z0-9-]{1,8}\.)?$/);
  const known = fc.tuple(localPart, label, fc.constantFrom(...domains));

  it('is its own canonical address, and an address', () => {
    let found = 0;
    fc.assert(
      fc.property(known, ([local, prefix, { domain }]) => {
        const canonical = canonicalOf(`${local}@${prefix}${domain}`);
        if (canonical === null) return;
        found += 1;
        assert.equal(canonicalOf(canonical), canonical);
        const parsed = parseEmailAddress(canonical);
        assert(parsed.ok && parsed.address.key === canonical);
      }),
      RUNS,
    );
    expect(found).toBeGreaterThan(RUNS.numRuns / 4);
  });

  it('never is at another provider, and only Google and Yandex have one for several domains', () => {
    fc.assert(
      fc.property(known, ([local, prefix, { rule, domain }]) => {
        const canonical = canonicalOf(`${local}@${prefix}${domain}`);
        if (canonical === null) return;
        const at = canonical.slice(canonical.lastIndexOf('@') + 1);
        assert(rule.domains.includes(at));
        assert.equal(at, rule.domain ?? domain);
      }),
      RUNS,
    );
    expect(MAILBOX_RULES.flatMap(({ domain }) => domain ?? [])).toEqual(['gmail.com', 'yandex.ru']);
  });

  it('does not depend on the case of letters, nor on what follows the separator', () => {
    const name = fc.stringMatching(/^[a-z0-9]{1,10}$/);
    fc.assert(
      fc.property(name, name, fc.constantFrom(...domains), (local, tag, { rule, domain }) => {
        const canonical = canonicalOf(`${local}@${domain}`);
        assert.equal(canonical, `${local}@${rule.domain ?? domain}`);
        const spelling = `${local}${rule.separator}${tag}@${domain}`.toUpperCase();
        assert.equal(canonicalOf(spelling), canonical);
      }),
      RUNS,
    );
  });
});

describe('the rules of providers', () => {
  it('have a domain once, and a page of the provider each', () => {
    const all = domains();
    expect(new Set(all).size).toBe(all.length);
    for (const { source } of MAILBOX_RULES) expect(new URL(source).protocol).toBe('https:');
  });

  function domains(): string[] {
    return MAILBOX_RULES.flatMap((rule) => rule.domains);
  }
});
