import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CaseWorld, planOf, type CasePlaces } from '../../../bench/peers/case-world.js';
import { readCases, type PeerCase } from '../../../bench/peers/peer-case.js';
import { createEngine, type Verdict } from '../../../src/engine/library/create-engine.js';
import { mapConcurrently } from '../../../src/kernel/concurrency/map-concurrently.js';
import { STATUS_OF } from '../../../src/kernel/verdict.js';

/** Times in the cases, and of replies that the engine waits for, are a fifth of those in the benchmark. */
const PACE = 0.2;
const PLACES: CasePlaces = {
  ipv4: (n) => `127.1.${n >> 8}.${(n & 255) + 1}`,
  // The only one that every machine has; all servers that are there have the same script.
  ipv6: () => '::1',
  closed: '127.9.9.9',
  pace: PACE,
};
const OPTIONS = {
  mxAllowCidrs: ['127.1.0.0/16', '127.9.9.9/32', '::1/128'],
  smtpHeloName: 'verify.example.org',
  dnsTimeoutMs: 2_500,
  smtpCommandTimeoutMs: 15_000 * PACE,
};
const SIDE_BY_SIDE = 16;

const cases = await readCases();

describe('the cases of the benchmark', () => {
  it('are many, of many kinds, and each is there once', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    expect(new Set(cases.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    expect(new Set(cases.map(({ address }) => address)).size).toBe(cases.length);
  });

  it.each(cases)(
    '$id names its reason, its source and statuses that exist',
    ({ why, source, acceptable }) => {
      expect(why).toMatch(/^[A-Z\d].+[^.]$/);
      expect(source).toMatch(/^(?:RFC \d+ §[\dA-Z]+(?:\.\d+)*|https:\/\/\S+)$/);
      expect(acceptable.length).toBeGreaterThan(0);
      expect(Object.values(STATUS_OF)).toEqual(expect.arrayContaining(acceptable));
    },
  );

  it('give servers at one address one script', () => {
    const ipv6 = cases.flatMap(({ world }) => (world.smtp ?? []).filter(({ isIpv6 }) => isIpv6));
    const scripts = ipv6.map(({ isIpv6, replies, ...others }) => ({
      isIpv6,
      replies,
      more: Object.keys(others),
    }));
    for (const { more, ...script } of scripts) {
      expect(script).toEqual({ isIpv6: true, replies: ipv6[0]?.replies });
      expect(more.filter((name) => name !== 'host')).toEqual([]);
    }
  });
});

describe('Rcpt and the cases of the benchmark', () => {
  let world: CaseWorld;
  const verdicts = new Map<string, Verdict>();

  beforeAll(async () => {
    world = await CaseWorld.start(planOf(cases, PLACES), { dns: 0, smtp: 0 });
    const options = { ...OPTIONS, dnsServers: [world.dns.server], smtpPort: world.smtp.port };
    const verify = async ({ id, address }: PeerCase) => {
      // Each has an engine of its own, as in the benchmark.
      const engine = createEngine(options);
      const verdict = await engine.verify(address, { timeoutMs: 60_000 });
      await engine.close();
      return { id, verdict };
    };
    for await (const { id, verdict } of mapConcurrently(cases, SIDE_BY_SIDE, verify))
      verdicts.set(id, verdict);
  });
  afterAll(() => world.stop());

  it.each(cases)('$kind $id: $why', ({ id, acceptable }) => {
    const { status, reason, smtp } = verdicts.get(id)!;
    expect({ status: acceptable.includes(status) ? 'acceptable' : status, reason, smtp }).toMatchObject({
      status: 'acceptable',
    });
  });

  it('opens no connection to an address that may not be dialled', () => {
    const isPrivate = (one: PeerCase) => one.kind === 'private-mx' && !one.acceptable.includes('deliverable');
    const reasons = cases.filter(isPrivate).map(({ id }) => verdicts.get(id)?.reason);
    expect(new Set(reasons)).toEqual(new Set(['unsafe_mail_server']));
  });
});
