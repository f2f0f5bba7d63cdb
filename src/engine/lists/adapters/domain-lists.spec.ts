import { describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { suggestDomain } from '../../address/did-you-mean.js';
import { CurrentDomainLists } from './domain-lists.js';
import { StoredListFiles } from './stored-list-files.js';

const noUpdate = new StoredListFiles(
  join(tmpdir(), 'no such directory', 'lists'),
  new SystemClock(),
  (error) => {
    throw error;
  },
);
const lists = new CurrentDomainLists(noUpdate);

describe('the packaged lists', () => {
  it('name every matching list, its license, and the number of lists', () => {
    expect(lists.disposable('mailinator.com')).toEqual({
      pattern: 'mailinator.com',
      source: expect.stringMatching(
        /^mailchecker [\d.]+ \(MIT\), disposable-email-domains-js [\d.]+ \(CC0-1.0\); 2 of 2 lists$/,
      ),
    });
  });

  it('name only the package that contains the domain', () => {
    expect(lists.disposable('gmail.com.co')?.source).toMatch(/^mailchecker [\d.]+ \(MIT\); 1 of 2 lists$/);
    expect(lists.disposable('usa.edu.pl')?.source).toMatch(
      /^disposable-email-domains-js [\d.]+ \(CC0-1.0\); 1 of 2 lists$/,
    );
  });

  it('include subdomains, and name the matching entry', () => {
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
  ])('do not match %s, though a public suffix of it may be listed', (domain) => {
    expect(lists.disposable(domain)).toBeNull();
  });

  it('match a single customer of a shared suffix', () => {
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
  ])('do not make %s disposable, whatever the packages say: %s', (_, domain) => {
    expect(lists.disposable(domain)).toBeNull();
  });

  it('call no domain disposable that reads as a mistyped provider', () => {
    const listed = new Set(noUpdate.current().flatMap(({ domains }) => [...domains]));
    const mistyped = [...listed].filter((domain) => suggestDomain(domain) !== null);
    expect(mistyped).toEqual(expect.arrayContaining(['gmial.com', 'hotmai.com', 'yaho.com', 'outlok.com']));
    expect(mistyped.filter((domain) => lists.disposable(domain) !== null)).toEqual([]);
    expect(mistyped.filter((domain) => lists.disposable(`a.${domain}`) !== null)).toEqual([]);
    expect(mistyped.filter((domain) => noUpdate.isListable(domain))).toEqual([]);
    expect(mistyped.length / listed.size).toBeLessThan(0.01);
  });

  it.each(['5ymail.com', 'amail.com', 'gotmail.com', 'kasmail.com', 'lastmail.com', 'proto2mail.com'])(
    'match the disposable service %s, whose name is similar to that of a provider',
    (domain) => {
      expect(lists.disposable(domain)?.pattern).toBe(domain);
      expect(lists.disposable(`a.${domain}`)?.pattern).toBe(domain);
    },
  );

  it.each(['example.com', 'mailinator.company.com', 'company.de', 'xn--mnchen-3ya.de', 'localhost'])(
    'do not match %s',
    (domain) => {
      expect(lists.disposable(domain)).toBeNull();
    },
  );
});
