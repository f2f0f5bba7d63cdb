import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Finding } from '../../../src/modules/operation/doctor/domain/finding.js';
import { WELL_KNOWN_DOMAINS } from '../../../src/engine/dns/adapters/dns-resolver-check.js';
import { DoctorEnvironment, SEEN_AS, SEEN_AS_V6 } from '../../support/app/doctor.js';
import type { DnsName } from '../../support/dns/dns-zones.js';
import { UdpSink } from '../../support/dns/udp-sink.js';

const POINTER = '25.113.0.203.in-addr.arpa';

let world: DoctorEnvironment;
beforeEach(async () => {
  world = await DoctorEnvironment.start();
});
afterEach(() => world.stop());

const levels = (examined: Record<string, Finding>) =>
  Object.fromEntries(Object.entries(examined).map(([check, { level }]) => [check, level]));

describe('without problems', () => {
  it('every network check passes, for both address families', async () => {
    const examined = await world.examine({}, { egressIps: [SEEN_AS, SEEN_AS_V6] });
    // The SPF policy and the block lists refer to the IPv4 address here.
    expect(levels(examined)).toEqual({
      egress: 'pass',
      port_25: 'pass',
      tls: 'pass',
      ehlo_name: 'pass',
      reverse_name: 'pass',
      sender_domain: 'pass',
      sender_policy: 'fail',
      dns_lists: 'pass',
      resolver: 'pass',
      negative_answers: 'pass',
      dnssec: 'pass',
      ipv6: 'pass',
      database: 'skipped',
      database_clock: 'skipped',
      queue: 'pass',
      sessions: 'skipped',
      payments: 'pass',
    });
    expect(examined.sender_policy?.whatToDo).toContain(`add ip6:${SEEN_AS_V6} to the SPF record`);
  });

  it('mail servers receive QUIT and no other command, except one, with which TLS is tried', async () => {
    await world.examine();
    const [google, ...others] = world.providers.map(({ commands }) => commands);
    expect(google?.toSorted()).toEqual(['EHLO verify.example.test', 'QUIT', 'QUIT', 'STARTTLS']);
    expect(others).toEqual([['QUIT'], ['QUIT']]);
  });

  it('each check says why it matters, and each one that does not pass what to do', async () => {
    const examined = Object.values(await world.examine({}, { egressIps: [SEEN_AS_V6] }));
    expect(examined.every(({ why, found }) => why.length > 20 && found.length > 5)).toBe(true);
    const unwell = examined.filter(({ level }) => level === 'warn' || level === 'fail');
    expect(unwell.filter(({ whatToDo }) => whatToDo === null)).toEqual([]);
  });
});

/** The result of one check when one thing differs. */
interface Case {
  of: string;
  level: string;
  says: string | RegExp;
  zones?: Record<string, DnsName | null>;
  env?: Record<string, string>;
}

const CASES: Record<string, Case> = {
  'an EHLO name without a domain': {
    of: 'ehlo_name',
    level: 'fail',
    says: /vm is not a public host name/,
    env: { SMTP_HELO_NAME: 'vm' },
  },
  'an address literal as EHLO name': {
    of: 'ehlo_name',
    level: 'warn',
    says: /is an address/,
    env: { SMTP_HELO_NAME: '[203.0.113.25]' },
  },
  'an IPv6 address literal as EHLO name': {
    of: 'ehlo_name',
    level: 'warn',
    says: /is an address/,
    env: { SMTP_HELO_NAME: '[IPv6:2001:db8::7]' },
  },
  'an EHLO name that leads elsewhere': {
    of: 'ehlo_name',
    level: 'fail',
    says: /resolves to 203\.0\.113\.99 and not to 203\.0\.113\.25/,
    zones: { 'verify.example.test': { a: ['203.0.113.99'] } },
  },
  'an EHLO name that does not exist': {
    of: 'ehlo_name',
    level: 'fail',
    says: /has no address/,
    zones: { 'verify.example.test': null },
  },
  'no reverse name': {
    of: 'reverse_name',
    level: 'fail',
    says: /has no reverse name/,
    zones: { [POINTER]: null },
  },
  'a reverse name that is not the EHLO name': {
    of: 'reverse_name',
    level: 'warn',
    says: /is host\.example\.test, and the EHLO name is verify\.example\.test/,
    zones: { [POINTER]: { ptr: ['host.example.test'] }, 'host.example.test': { a: [SEEN_AS] } },
  },
  'a reverse name that does not lead back': {
    of: 'reverse_name',
    level: 'fail',
    says: /does not resolve back/,
    zones: { [POINTER]: { ptr: ['host.example.test'] } },
  },
  'a reverse zone that fails': {
    of: 'reverse_name',
    level: 'skipped',
    says: /could not be looked up/,
    zones: { [POINTER]: { rcode: 'SERVFAIL' } },
  },
  'a sender domain with an address and no MX': {
    of: 'sender_domain',
    level: 'warn',
    says: /no MX record/,
    zones: { 'example.test': { a: [SEEN_AS] } },
  },
  'a sender domain that accepts no mail': {
    of: 'sender_domain',
    level: 'fail',
    says: /accepts no mail/,
    zones: { 'example.test': { mx: [[0, '.']] } },
  },
  'a sender domain that does not exist': {
    of: 'sender_domain',
    level: 'fail',
    says: /no MX record and no address/,
    zones: { 'example.test': null },
  },
  'the address of a reverse name that cannot be looked up': {
    of: 'reverse_name',
    level: 'skipped',
    says: /host\.example\.test, the reverse name of 203\.0\.113\.25, could not be looked up/,
    zones: { [POINTER]: { ptr: ['host.example.test'] }, 'host.example.test': { rcode: 'SERVFAIL' } },
  },
  'a resolver that does not validate': {
    of: 'dnssec',
    level: 'warn',
    says: /does not validate signatures/,
    zones: { 'dnssec-failed.org': { a: ['192.0.2.1'] } },
  },
};

describe('each problem is reported at its level', () => {
  it.each(Object.entries(CASES))('%s', async (_, { of, level, says, zones = {}, env = {} }) => {
    for (const [name, records] of Object.entries(zones)) world.dns.set(name, records);
    const examined = await world.examine(env);
    expect(examined[of]).toMatchObject({ level, found: expect.stringMatching(says) });
  });

  it('no IPv6, or only a private address, is a warning', async () => {
    const of = async (ipv6: string | null) =>
      (await world.examine({}, { localAddress: { ipv4: '10.0.0.7', ipv6 } })).ipv6;
    expect(await of(null)).toMatchObject({ level: 'warn', found: expect.stringMatching(/no route/) });
    expect(await of('fd00::2')).toMatchObject({
      level: 'warn',
      found: expect.stringMatching(/not a public address/),
    });
  });

  it('a private address is not used as the public one', async () => {
    const examined = await world.examine(
      {},
      { egressIps: [], localAddress: { ipv4: '10.0.0.7', ipv6: null } },
    );
    for (const check of ['ehlo_name', 'reverse_name', 'sender_policy', 'dns_lists'])
      expect(examined[check]).toMatchObject({
        level: 'skipped',
        whatToDo: expect.stringMatching('set EGRESS_IPS to the public address'),
      });
    expect(examined.ehlo_name?.found).toContain('10.0.0.7');
  });

  it('the machine’s own public address is used', async () => {
    const examined = await world.examine(
      {},
      { egressIps: [], localAddress: { ipv4: '8.8.4.4', ipv6: null } },
    );
    expect(examined.reverse_name?.found).toBe('8.8.4.4 has no reverse name');
  });
});

describe('without a network', () => {
  const ofTheNetwork = (examined: Record<string, Finding>) =>
    Object.values(examined).filter(({ check }) => !/^database|^queue|^sessions|^payments/.test(check));

  it('--offline sends nothing, and each check says so', async () => {
    const examined = ofTheNetwork(await world.examine({}, { offline: true }));
    expect(
      examined.filter(({ level, found }) => level !== 'skipped' || !found.startsWith('offline')),
    ).toEqual([]);
    expect(world.dns.questions).toEqual([]);
  });

  it('a name server that denies well-known domains is one failure, and the other checks are skipped', async () => {
    for (const domain of WELL_KNOWN_DOMAINS) world.dns.set(domain, null);
    const { resolver, ...others } = Object.fromEntries(
      ofTheNetwork(await world.examine()).map((result) => [result.check, result]),
    );
    expect(resolver).toMatchObject({
      level: 'fail',
      found: expect.stringMatching(/gmail\.com, outlook\.com, yahoo\.com do not exist.*dns_error/),
      whatToDo: expect.stringMatching(/DNS_SERVERS/),
    });
    expect(new Set(Object.values(others).map(({ level }) => level))).toEqual(new Set(['skipped']));
  });

  it('a name server may deny one of the well-known domains', async () => {
    world.dns.set('gmail.com', null);
    expect((await world.examine()).resolver).toMatchObject({ level: 'pass' });
  });

  it('a resolver that omits the SOA record of negative answers is a failure', async () => {
    await world.stop();
    world = await DoctorEnvironment.start({}, undefined, null);
    expect((await world.examine()).negative_answers).toMatchObject({
      level: 'fail',
      found: `${world.dns.server} omits the SOA record in negative answers`,
      whatToDo: expect.stringMatching(/DNS_SERVERS/),
    });
  });

  it('a name server that does not answer is one failure, or none without a route to the Internet', async () => {
    const sink = await UdpSink.open();
    const of = async (ipv4: string | null) =>
      ofTheNetwork(await world.examine({ DNS_SERVERS: sink.server }, { localAddress: { ipv4, ipv6: null } }));
    const [near, far] = await Promise.all([of('10.0.0.7'), of(null)]);
    expect(near.filter(({ level }) => level === 'fail').map(({ check }) => check)).toEqual(['resolver']);
    expect(far.filter(({ level, found }) => level !== 'skipped' || !found.startsWith('offline'))).toEqual([]);
    sink.close();
  });

  it('a slow resolver is a warning', async () => {
    world.clock.tickMs = 400;
    expect((await world.examine()).resolver).toMatchObject({ level: 'warn' });
  });

  it('a resolver that answers for names that do not exist is a failure', async () => {
    await world.stop();
    world = await DoctorEnvironment.start({}, { a: ['192.0.2.80'] });
    expect((await world.examine()).resolver).toMatchObject({
      level: 'fail',
      whatToDo: expect.stringMatching(/it replaces NXDOMAIN/),
    });
  });
});
