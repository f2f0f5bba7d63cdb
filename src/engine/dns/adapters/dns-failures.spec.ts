import { afterEach, describe, expect, it } from '@jest/globals';
import { DnsWorld } from '../../../../test/support/dns/dns-world.js';
import type { DnsWorldOptions } from '../../../../test/support/dns/dns-world.js';
import type { DnsName } from '../../../../test/support/dns/dns-zones.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { DnsClient } from './dns-client.js';
import type { DnsClientOptions } from './dns-client.js';

const TIMEOUT_MS = 4000;
const TRY_MS = TIMEOUT_MS / 4;
const NEVER = new AbortController().signal;

const worlds: DnsWorld[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.stop()));
});

async function aWorld(zones: DnsWorldOptions['zones']): Promise<DnsWorld> {
  const world = await DnsWorld.start({ zones });
  worlds.push(world);
  return world;
}

function aClient([first]: DnsWorld[], options: Partial<DnsClientOptions> = {}) {
  const servers = first === undefined ? [] : [first.server];
  return { dns: new DnsClient({ servers, timeoutMs: TIMEOUT_MS, clock: new SystemClock(), ...options }) };
}

const FRESH = { ageSeconds: 0, cached: false };

describe('a name server that answers for one family of addresses only', () => {
  it.each([
    ['AAAA', { a: ['192.0.2.1'], behaviour: 'silent_aaaa' }, '192.0.2.1'],
    ['A', { aaaa: ['2001:db8::1'], behaviour: 'silent_a' }, '2001:db8::1'],
  ])('and never for %s costs 250 ms, once for a call', async (type, records, address) => {
    const world = await aWorld({ 'mx.test': { ...(records as DnsName), ttl: 0 } });
    const { dns } = aClient([world]);
    const call = { team: '', priority: 'single' as const, failedLookUps: new Map() };
    const found = { kind: 'addresses', addresses: [address] };
    const start = performance.now();
    expect(await dns.addresses('mx.test', NEVER, call)).toMatchObject(found);
    expect(performance.now() - start).toBeLessThan(TRY_MS);
    expect(await dns.addresses('mx.test', NEVER, call)).toMatchObject(found);
    expect(world.questions.filter((question) => question.type === type)).toHaveLength(1);
  });

  it('and denies the other is waited for: nothing is known yet', async () => {
    const world = await aWorld({ 'mx.test': { txt: ['x'], behaviour: 'silent_aaaa' } });
    const { dns } = aClient([world], { timeoutMs: 1_000 });
    expect(await dns.addresses('mx.test', NEVER)).toMatchObject({
      kind: 'error',
      error: `${world.server}: no response`,
    });
  });
});

describe('an error', () => {
  it('names each server with its last response', async () => {
    const refusing = await aWorld({ 'x.test': { rcode: 'REFUSED' } });
    const failing = await aWorld({ 'x.test': { rcode: 'SERVFAIL' } });
    const { dns } = aClient([], {
      servers: [refusing.server, failing.server, '127.0.0.1:1'],
    });
    expect(await dns.mx('x.test', NEVER)).toMatchObject({
      kind: 'error',
      error: `${refusing.server}: REFUSED; ${failing.server}: SERVFAIL; 127.0.0.1:1: unreachable, or its response is no DNS message`,
    });
  });

  it('is of no server if the call ended before', async () => {
    const world = await aWorld({ 'x.test': { behaviour: 'silent' } });
    const call = new AbortController();
    const outcome = aClient([world]).dns.mx('x.test', call.signal);
    await world.queriesFor('x.test');
    call.abort();
    expect(await outcome).toEqual({ kind: 'error', ...FRESH });
  });

  it('is remembered for a call, and not for others', async () => {
    const world = await aWorld({ 'x.test': { rcode: 'SERVFAIL' } });
    const { dns } = aClient([world]);
    const call = { team: '', priority: 'single' as const, failedLookUps: new Map() };
    const error = `${world.server}: SERVFAIL`;
    for (let n = 0; n < 2; n++) expect(await dns.mx('x.test', NEVER, call)).toMatchObject({ error });
    expect(world.questions).toHaveLength(1);
    await dns.mx('x.test', NEVER);
    expect(world.questions).toHaveLength(2);
  });
});
