import { describe, expect, it } from '@jest/globals';
import { classify, NO_LISTING } from './address-lists.js';
import { DomainLists, type DisposableOverride, type ListEntry } from './domain-list.js';
import { parseEmailAddress } from '../address/email-address.js';

const THROWAWAY: ListEntry = { pattern: 'throwaway.example', source: 'a list' };

class OneDomain extends DomainLists {
  override disposable(domain: string): ListEntry | null {
    return domain === THROWAWAY.pattern ? THROWAWAY : null;
  }
}

function classified(text: string, override: DisposableOverride | null = null): ReturnType<typeof classify> {
  const parsed = parseEmailAddress(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return classify(parsed.address, new OneDomain(), override);
}

describe('classify', () => {
  it('finds nothing for a person at a company', () => {
    expect(classified('jane.doe@company.example')).toEqual(NO_LISTING);
  });

  it.each([
    ['jane@throwaway.example', { disposable: true }],
    ['jane@mozmail.com', { privacyRelay: true }],
    ['info@company.example', { role: true }],
    ['jane@gmail.com', { free: true }],
    ['jane+news@company.example', { subaddress: true }],
    ['no-reply@company.example', { noReply: true }],
    ['sales+2026@gmail.com', { role: true, free: true, subaddress: true }],
    ['noreply+x@throwaway.example', { disposable: true, subaddress: true, noReply: true }],
    ['"Info"@company.example', { role: true }],
    ['jane+info@company.example', { subaddress: true }],
  ])('%s: %j and nothing else', (text, checks) => {
    expect(classified(text).checks).toEqual({ ...NO_LISTING.checks, ...checks });
  });

  it('returns the matching entries', () => {
    expect(classified('Info@throwaway.example')).toMatchObject({
      disposable: { ...THROWAWAY, scope: 'global' },
      privacyRelay: null,
      role: { pattern: 'info', source: 'built in: RFC 2142' },
    });
    expect(classified('jane@mozmail.com').privacyRelay?.pattern).toBe('mozmail.com');
  });

  it.each([
    ['team', 'team'],
    ['operator', 'global'],
  ] as const)('prefers the %s to the lists, in both directions', (source, scope) => {
    const pattern = 'company.example';
    expect(classified('jane@company.example', { verdict: 'disposable', pattern, source })).toMatchObject({
      checks: { disposable: true },
      disposable: { pattern, source, scope },
    });
    expect(
      classified('jane@throwaway.example', { verdict: 'not_disposable', pattern: THROWAWAY.pattern, source }),
    ).toEqual(NO_LISTING);
  });
});
