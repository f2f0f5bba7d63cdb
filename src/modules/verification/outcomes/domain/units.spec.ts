import { describe, expect, it } from '@jest/globals';
import { countNameOf, Units, type DomainsOf } from './units.js';

const idOf = (domain: string) => `id of ${domain}`;
const unitOf = (
  domain: string,
  host: string | null,
  provider: string | null = null,
  domainsOf: DomainsOf = {},
) => new Units(domainsOf, idOf).unitOf({ domain, host, provider });

describe('addresses count together', () => {
  it.each([
    ['gmail.com', 'google.com', 'google', 'google consumer'],
    ['googlemail.com', 'googlemail.com', 'google', 'google consumer'],
    ['hotmail.fr', 'outlook.com', 'microsoft', 'microsoft consumer'],
    ['corp.example', 'google.com', 'google', '@corp.example'],
    ['corp.example', 'pphosted.com', 'proofpoint', '@corp.example'],
    ['gmail.com', 'mimecast.com', 'mimecast', '@gmail.com'],
  ])('by provider of the table only on its consumer service: %s at %s', (domain, host, provider, unit) => {
    expect(unitOf(domain, host, provider)).toBe(unit);
  });

  it('by host for its first two domains, and by domain from the third on', () => {
    const of = (domain: string, ...known: string[]) =>
      unitOf(domain, 'host.example', null, { 'host.example': known.map(idOf) });
    expect(of('a.example')).toBe('host.example');
    expect(of('b.example', 'a.example')).toBe('host.example');
    expect(of('b.example', 'a.example', 'b.example')).toBe('host.example');
    expect(of('c.example', 'a.example', 'b.example')).toBe('@c.example');
    expect(of('a.example', 'a.example', 'b.example', 'c.example')).toBe('@a.example');
  });

  it('by domain without mail servers, and whatever the name of the host', () => {
    expect(unitOf('a.example', null)).toBe('@a.example');
    expect(unitOf('a.example', 'constructor')).toBe('constructor');
  });

  it('are counted under the names by which they are found', () => {
    expect(countNameOf({ domain: 'gmail.com', host: 'google.com', provider: 'google' })).toEqual({
      host: null,
      name: 'google consumer',
    });
    expect(countNameOf({ domain: 'corp.example', host: 'google.com', provider: 'google' })).toEqual({
      host: null,
      name: 'corp.example',
    });
    expect(countNameOf({ domain: 'a.example', host: 'host.example', provider: null })).toEqual({
      host: 'host.example',
      name: 'a.example',
    });
  });
});
