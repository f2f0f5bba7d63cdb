import { beforeEach, describe, expect, it } from '@jest/globals';
import { rejectedBy, asked } from '../../../test/support/verification/rejections.js';
import { ScriptedEgress } from '../../../test/support/verification/scripted-egress.js';
import { aWarmup } from '../../../test/support/verification/warmup.js';
import { Providers } from '../providers/session-limits.js';
import { Breakers } from './breakers.js';
import { egressOrder } from './egress-choice.js';
import type { EgressWarmup } from './egress-warmup.js';
import { probeCapacity } from './probe-capacity.js';

const GOOGLE = 'aspmx.l.google.com';
const CORP = 'mx.corp.test';
const DOMAIN = 'corp.test';

const providers = new Providers({ connectionsPerHost: 3, registrableOf: (host) => host });
let nowMs: number;
let breakers: Breakers;
let warmup: EgressWarmup;
let egresses: ScriptedEgress[];
beforeEach(() => {
  nowMs = 1_000_000;
  breakers = new Breakers((domain) => domain);
  warmup = aWarmup({ google: 100 }, { nowMs: () => nowMs, warm: [] });
  egresses = ['a', 'b'].map((name) => new ScriptedEgress(name));
});

const ordered = () => egressOrder(DOMAIN, egresses);
const capacityFor = (host: string, team = 'team_a') =>
  probeCapacity({ domain: DOMAIN, hosts: [{ host, preference: 0 }], team }, providers.of(host), {
    egresses,
    breakers,
    warmup,
    nowMs: () => nowMs,
  });
const rejects = (host: string, team: string, egress: string) => {
  for (let n = 0; n < 20; n++)
    breakers.record(asked(team, `jane${n}@domain${n}.test`, egress), rejectedBy(host), nowMs);
};
const probes = async (team: string, egress: string, count: number) => {
  for (let n = 0; n < count; n++) await warmup.record({ egress, provider: 'google', team, kind: 'probe' });
};

describe('the capacity for the servers of a domain', () => {
  it('is the egress that the domain uses, with the sessions that its provider allows', () => {
    expect(capacityFor(GOOGLE)).toEqual({ egress: ordered()[0]!.key, connections: 5, probesLeft: Infinity });
    expect(capacityFor(CORP)).toMatchObject({ connections: 3 });
    ordered()[0]!.out = true;
    expect(capacityFor(GOOGLE)).toMatchObject({ egress: ordered()[1]!.key });
  });

  it('has the sessions that a known provider was seen to allow through this egress', () => {
    ordered()[1]!.learned.set('google', 1);
    expect(capacityFor(GOOGLE)).toMatchObject({ connections: 5 });
    ordered()[0]!.learned.set('google', 2);
    expect(capacityFor(GOOGLE)).toMatchObject({ connections: 2 });
  });

  it('does not show what was learned of the servers of other domains, where another team may verify', () => {
    for (const { learned } of egresses) learned.set(providers.nameOf(CORP), 1);
    expect(capacityFor(CORP)).toMatchObject({ connections: 3 });
  });

  it('is the next egress while servers reject the team through the first, and none while all are', () => {
    const [first, second] = ordered();
    rejects(GOOGLE, 'team_a', first!.key);
    expect(capacityFor(GOOGLE)).toMatchObject({ egress: second!.key });
    rejects(GOOGLE, 'team_a', second!.key);
    expect(capacityFor(GOOGLE)).toMatchObject({ egress: null, probesLeft: 0 });
    expect(capacityFor(GOOGLE, 'team_b')).toMatchObject({ egress: first!.key });
  });

  it('is limited by the ceilings of new egresses as far as they are known, all together', async () => {
    const [first, second] = ordered();
    await probes('team_a', first!.key, 1);
    await probes('team_a', second!.key, 1);
    const { probesLeft } = capacityFor(GOOGLE);
    expect(probesLeft).toBeGreaterThan(0);
    expect(probesLeft).toBeLessThanOrEqual(198);
    // They are not known any more.
    nowMs += 2 * 3_600_000;
    expect(capacityFor(GOOGLE).probesLeft).toBe(Infinity);
  });

  it('does not show how many probes another team has sent', async () => {
    for (const { key } of egresses) await probes('team_a', key, 1);
    const alone = capacityFor(GOOGLE);
    for (const { key } of egresses) await probes('team_b', key, 40);
    expect(capacityFor(GOOGLE)).toEqual(alone);
    expect(capacityFor(GOOGLE, 'team_c')).toMatchObject({ egress: ordered()[0]!.key });
  });
});
