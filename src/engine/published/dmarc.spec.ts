import { describe, expect, it } from '@jest/globals';
import type { TextRecords } from '../dns/text-resolver.js';
import { findDmarc, walkOf } from './dmarc.js';

/** By the domain, without `_dmarc`. */
type Zone = Readonly<Record<string, string | readonly string[]>>;

async function find(domain: string, zone: Zone, { failing = '', exists = true } = {}) {
  const asked: string[] = [];
  const found = await findDmarc(
    domain,
    (name): Promise<TextRecords> => {
      const at = name.replace('_dmarc.', '');
      asked.push(at);
      if (at === failing) return Promise.resolve({ kind: 'error', error: 'no response' });
      return Promise.resolve({ kind: 'texts', texts: [zone[at] ?? []].flat() });
    },
    Promise.resolve(exists),
  );
  return { found, asked };
}

describe('the walk of the DNS tree for DMARC', () => {
  it('asks at most eight names, of which the long ones are skipped', () => {
    expect(walkOf('a.mail.example.com')).toEqual([
      'a.mail.example.com',
      'mail.example.com',
      'example.com',
      'com',
    ]);
    const walk = walkOf('1.2.3.4.5.6.7.8.mail.example.com');
    expect(walk).toHaveLength(8);
    expect(walk[1]).toBe('5.6.7.8.mail.example.com');
    expect(walkOf('a.b.c.d.e.f.example.com')[1]).toBe('b.c.d.e.f.example.com');
  });

  it.each<[string, Zone, object]>([
    ['the record of the domain', { 'mail.example.com': 'v=DMARC1; p=reject; sp=none' }, { policy: 'reject' }],
    [
      'the policy for subdomains of the organizational domain',
      { 'example.com': 'v=DMARC1; p=reject; sp=quarantine; t=y' },
      { policy: 'quarantine', foundAt: 'example.com', organizationalDomain: 'example.com', isTesting: true },
    ],
    [
      'its policy, if it has none for subdomains',
      { 'example.com': 'v=DMARC1;p=REJECT' },
      { policy: 'reject', isTesting: false },
    ],
    [
      'the domain below a public suffix as the organizational domain',
      { com: 'v=DMARC1; p=none; sp=reject; psd=y', 'example.com': 'v=DMARC1; p=quarantine' },
      { policy: 'quarantine', foundAt: 'example.com', organizationalDomain: 'example.com' },
    ],
    [
      'the record of the public suffix, where nothing below it has one',
      { com: 'v=DMARC1; p=none; sp=reject; psd=y' },
      { policy: 'reject', foundAt: 'com', organizationalDomain: 'example.com' },
    ],
    [
      'no record',
      {},
      { policy: null, foundAt: null, record: null, organizationalDomain: 'mail.example.com' },
    ],
    [
      'no record among several of a name',
      { 'mail.example.com': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'example.com': 'v=DMARC1; p=reject' },
      { error: 'several_records', policy: 'reject', foundAt: 'example.com' },
    ],
    ['no text of another version', { 'example.com': 'v=DMARC10; p=reject' }, { policy: null }],
    ['none for a policy that is not known', { 'example.com': 'v=DMARC1; p=block' }, { policy: 'none' }],
  ])('finds %s', async (_, zone, expected) => {
    expect((await find('mail.example.com', zone)).found).toMatchObject(expected);
  });

  it('has another policy for a domain that does not exist, if the record above it says so', async () => {
    const policyOf = async (record: string, exists = false) =>
      (await find('mail.example.com', { 'example.com': `v=DMARC1; ${record}` }, { exists })).found;
    expect(await policyOf('p=none; sp=quarantine; np=reject')).toMatchObject({ policy: 'reject' });
    expect(await policyOf('p=none; sp=quarantine; np=reject', true)).toMatchObject({ policy: 'quarantine' });
    expect(await policyOf('p=none; sp=quarantine')).toMatchObject({ policy: 'quarantine' });
    const own = { 'mail.example.com': 'V=DMARC1; p=none; np=reject' };
    expect((await find('mail.example.com', own, { exists: false })).found).toMatchObject({ policy: 'none' });
  });

  it('ends at a domain that says that it is an organization', async () => {
    const zone = { 'mail.example.com': 'v=DMARC1; p=none; psd=n', 'example.com': 'v=DMARC1; p=reject' };
    const { found, asked } = await find('a.mail.example.com', zone);
    expect(found).toMatchObject({ organizationalDomain: 'mail.example.com', policy: 'none' });
    expect(asked).toEqual(['a.mail.example.com', 'mail.example.com']);
  });

  it('says nothing where one look-up has failed', async () => {
    const zone = { 'example.com': 'v=DMARC1; p=reject' };
    const { found } = await find('mail.example.com', zone, { failing: 'example.com' });
    expect(found).toEqual({ kind: 'error', error: 'no response' });
  });
});
