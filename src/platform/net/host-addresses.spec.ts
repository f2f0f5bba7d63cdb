import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DnsWorld } from '../../../test/support/dns/dns-world.js';
import { HostAddresses } from './host-addresses.js';

const TIMEOUT_MS = 20_000;

let world: DnsWorld;
beforeAll(async () => {
  world = await DnsWorld.start({
    zones: {
      'v4.test': { a: ['192.0.2.1'], behaviour: 'silent_aaaa' },
      'v6.test': { aaaa: ['2001:db8::1'], behaviour: 'silent_a' },
    },
  });
});
afterAll(() => world.stop());

describe('a host whose name server answers for one family of addresses only', () => {
  it.each([
    ['v4.test', '192.0.2.1'],
    ['v6.test', '2001:db8::1'],
  ])('does not wait for the other: %s', async (host, address) => {
    const start = performance.now();
    const hosts = new HostAddresses([world.server], TIMEOUT_MS);
    expect(await hosts.resolve(host, new AbortController().signal)).toEqual([address]);
    expect(performance.now() - start).toBeLessThan(TIMEOUT_MS / 4);
  });
});
