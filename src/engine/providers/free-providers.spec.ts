import { describe, expect, it } from '@jest/globals';
import { freeProvider } from './free-providers.js';

describe('freeProvider', () => {
  it.each([
    'gmail.com',
    'yahoo.co.uk',
    'hotmail.fr',
    'qq.com',
    'web.de',
    'proton.me',
    'comcast.net',
    'uol.com.br',
  ])('finds %s', (domain) => {
    expect(freeProvider(domain)).toBe(domain);
  });

  it.each(['example.com', 'corp.gmail.com', 'notgmail.com', 'microsoft.com', 'com', ''])(
    'does not find %j',
    (domain) => {
      expect(freeProvider(domain)).toBeNull();
    },
  );
});
