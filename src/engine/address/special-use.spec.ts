import { describe, expect, it } from '@jest/globals';
import { isSpecialUse } from './special-use.js';

describe('isSpecialUse', () => {
  it.each([
    'test',
    'mail.test',
    'example',
    'example.com',
    'a.b.example.com',
    'example.net',
    'example.org',
    'foo.invalid',
    'localhost',
    'printer.local',
    'facebookcorewwwi.onion',
    'name.alt',
    'router.home.arpa',
    '10.in-addr.arpa',
    '1.16.172.in-addr.arpa',
    '31.172.in-addr.arpa',
    '1.8.e.f.ip6.arpa',
  ])('matches %s', (domain) => {
    expect(isSpecialUse(domain)).toBe(true);
  });

  it.each([
    'example.de',
    'myexample.com',
    'example.com.de',
    'test.de',
    'contest',
    'localhost.com',
    '32.172.in-addr.arpa',
    'e164.arpa',
    'com',
  ])('does not match %s', (domain) => {
    expect(isSpecialUse(domain)).toBe(false);
  });
});
