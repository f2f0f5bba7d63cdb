import { describe, expect, it } from '@jest/globals';
import { anAddress, listingOf, ShortLists } from '../../test/support/verification/evidence.js';
import { type Evidence } from './evidence.js';
import { disposableMailHost } from './disposable-mail-host.js';

const lists = new (class extends ShortLists {
  override disposable(domain: string) {
    return domain.endsWith('google.com')
      ? { pattern: domain, source: 'a mistake' }
      : super.disposable(domain);
  }
})();

function onServers(hosts: readonly string[], { email = 'jane@fresh.test', implicit = false } = {}): Evidence {
  const address = anAddress(email);
  const route = { kind: 'hosts', implicit, hosts: hosts.map((host) => ({ host, preference: 10 })) } as const;
  return {
    kind: 'probed',
    address,
    listing: listingOf(address),
    facts: { route, probe: null, catchAll: 'unknown' },
  };
}

describe('a domain with mail servers of a disposable service', () => {
  it('is identified by them, when all belong to it', () => {
    expect(disposableMailHost(onServers(['throwaway.com', 'Throwaway.com.']), lists)).toBe('throwaway.com');
    expect(disposableMailHost(onServers(['throwaway.com', 'mx.corp.test']), lists)).toBeNull();
  });

  it('is not, when it is listed itself, has no MX records, or has a well-known provider’s servers', () => {
    expect(
      disposableMailHost(onServers(['throwaway.com'], { email: 'jane@throwaway.com' }), lists),
    ).toBeNull();
    expect(disposableMailHost(onServers(['throwaway.com'], { implicit: true }), lists)).toBeNull();
    expect(disposableMailHost(onServers(['aspmx.l.google.com']), lists)).toBeNull();
  });
});
