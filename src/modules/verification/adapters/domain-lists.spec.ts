import { describe, expect, it } from '@jest/globals';
import { PackagedDomainLists } from './domain-lists.js';

const lists = new PackagedDomainLists();

describe('PackagedDomainLists', () => {
  it('names every package that agrees, with the version installed', () => {
    expect(lists.disposable('mailinator.com')).toEqual({
      pattern: 'mailinator.com',
      source: expect.stringMatching(/^mailchecker \d+\.\d+\.\d+, disposable-email-domains-js \d+\.\d+\.\d+$/),
    });
  });

  it('names only the package that knows the domain', () => {
    expect(lists.disposable('gmail.com.co')?.source).toMatch(/^mailchecker [\d.]+$/);
    expect(lists.disposable('usa.edu.pl')?.source).toMatch(/^disposable-email-domains-js [\d.]+$/);
  });

  it('covers subdomains, and names the entry that met', () => {
    expect(lists.disposable('a.b.mailinator.com')?.pattern).toBe('mailinator.com');
  });

  it.each([
    'pp.ua',
    'somebody.pp.ua',
    'ddns.net',
    'somebody.ddns.net',
    'zp.ua',
    'somebody.zp.ua',
    'com',
    'co.uk',
  ])('holds nothing against %s, though a public suffix of it may be listed', (domain) => {
    expect(lists.disposable(domain)).toBeNull();
  });

  it('knows a single customer of a shared suffix', () => {
    expect(lists.disposable('10.dns-cloud.net')?.pattern).toBe('10.dns-cloud.net');
    expect(lists.disposable('11.dns-cloud.net')).toBeNull();
  });

  it.each([
    ['a privacy relay', 'duck.com'],
    ['a privacy relay with its user', 'jane.anonaddy.com'],
    ['a provider of mailboxes', 'tom.com'],
    ['a university', 'nus.edu.sg'],
    ['a faculty of it', 'comp.nus.edu.sg'],
    ['a vanity domain that people keep', 'priest.com'],
    ['a provider that was listed once', 'fastmail.com'],
  ])('does not call %s disposable, whatever the packages say: %s', (_, domain) => {
    expect(lists.disposable(domain)).toBeNull();
  });

  it.each(['example.com', 'mailinator.company.com', 'company.de', 'xn--mnchen-3ya.de', 'localhost'])(
    'has nothing about %s',
    (domain) => {
      expect(lists.disposable(domain)).toBeNull();
    },
  );

  it('tells a privacy relay apart', () => {
    expect(lists.privacyRelay('jane.mozmail.com')?.pattern).toBe('mozmail.com');
    expect(lists.privacyRelay('mailinator.com')).toBeNull();
  });
});
