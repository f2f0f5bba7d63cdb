import { describe, expect, it } from '@jest/globals';
import { privacyRelay } from './privacy-relays.js';

describe('privacyRelay', () => {
  it.each([
    ['privaterelay.appleid.com', 'privaterelay.appleid.com', 'built in: Sign in with Apple'],
    ['mozmail.com', 'mozmail.com', 'built in: Firefox Relay'],
    ['jane.mozmail.com', 'mozmail.com', 'built in: Firefox Relay'],
    ['duck.com', 'duck.com', 'built in: DuckDuckGo Email Protection'],
    ['aleeas.com', 'aleeas.com', 'built in: SimpleLogin'],
    ['jane.anonaddy.com', 'anonaddy.com', 'built in: addy.io'],
  ])('finds %s by its entry %s, with its service', (domain, pattern, source) => {
    expect(privacyRelay(domain)).toEqual({ pattern, source });
  });

  it.each(['appleid.com', 'icloud.com', 'duckduckgo.com', 'notduck.com', 'fastmail.com', 'com'])(
    'cannot detect %s',
    (domain) => {
      expect(privacyRelay(domain)).toBeNull();
    },
  );
});
