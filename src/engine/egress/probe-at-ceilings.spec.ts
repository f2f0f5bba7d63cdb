import { beforeEach, describe, expect, it } from '@jest/globals';
import { anAddress, aSilence } from '../../../test/support/verification/evidence.js';
import {
  aRejection,
  answeredBy,
  rejectedBy,
  REJECTIONS,
} from '../../../test/support/verification/rejections.js';
import { ScriptedEgress } from '../../../test/support/verification/scripted-egress.js';
import { aWarmup } from '../../../test/support/verification/warmup.js';
import { Breakers } from './breakers.js';
import { egressOrder } from './egress-choice.js';
import type { EgressWarmup } from './egress-warmup.js';
import { probeThroughEgresses } from './probe-through-egresses.js';

const DOMAIN = 'corp.test';
const NOW_MS = 1_000_000;

let breakers: Breakers;
let egresses: ScriptedEgress[];
let warmup: EgressWarmup;
beforeEach(() => {
  breakers = new Breakers((domain) => domain);
  use('a', 'b', 'c', 'd');
});

function use(...names: string[]): void {
  egresses = names.map((name) => new ScriptedEgress(name));
}

/** In the order in which the domain uses them. */
const ordered = (domain = DOMAIN) => egressOrder<ScriptedEgress>(domain, egresses);
const asked = () => ordered().map(({ prober }) => prober.probed.length);

const check = ({ email = `jane@${DOMAIN}`, team = 'team_a', mx = ['mx.corp.test'] } = {}) =>
  probeThroughEgresses(
    {
      recipient: anAddress(email),
      hosts: mx.map((host, n) => ({ host, preference: 10 * n })),
      probeRandom: false,
      team,
      priority: 'single',
      deadlineMs: NOW_MS + 10_000,
    },
    { egresses, breakers, warmup, nowMs: () => NOW_MS },
    new AbortController().signal,
  );

describe('a new egress', () => {
  const GOOGLE = 'aspmx.l.google.com';
  const askGoogle = (name: string) => check({ email: `${name}@${DOMAIN}`, mx: [GOOGLE] });
  let rejections = 0;
  const daily = (probes: number, ...warm: string[]) => {
    warmup = aWarmup({ google: probes }, { nowMs: () => NOW_MS, warm });
    rejections = 0;
    const counted = warmup.record.bind(warmup);
    warmup.record = (event) => ((rejections += event.kind === 'rejection' ? 1 : 0), counted(event));
  };

  it('gives a provider to the next egress when its ceiling of the day is reached', async () => {
    daily(2);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await askGoogle(name);
    expect(asked()).toEqual([2, 2, 1, 0]);
  });

  it('has a ceiling only at the providers of the plan, and none when it is warm', async () => {
    daily(1, ordered()[1]!.name);
    for (const name of ['a', 'b', 'c']) await askGoogle(name);
    for (const name of ['a', 'b']) await check({ email: `${name}@${DOMAIN}` });
    expect(asked()).toEqual([3, 2, 0, 0]);
  });

  it('gives unknown / sender_blocked with a separate rule, and probes no server, when no egress is left', async () => {
    daily(1);
    use('a', 'b');
    for (const name of ['a', 'b']) await askGoogle(name);
    const { end, evidence } = await askGoogle('c');
    expect(end).toBe('replied');
    expect(evidence).toMatchObject({
      category: 'sender_blocked',
      rule: 'egress.warmup',
      attempts: 0,
      egress: null,
    });
    expect(asked()).toEqual([1, 1]);
  });

  it('is not charged for a probe that reached no server, or that a breaker prevented', async () => {
    daily(1);
    ordered()[0]!.prober.outcome = { ...aSilence('egress_failed', 'connect'), rejections: [] };
    await askGoogle('a');
    ordered()[0]!.prober.outcome = answeredBy(GOOGLE);
    expect((await askGoogle('b')).evidence).toMatchObject({ egress: ordered()[0]!.name });
  });

  describe('with a hostile domain whose servers are its own and then those of a provider', () => {
    const mx = ['mx.evil.test', GOOGLE];
    const attack = (text?: string) => {
      ordered('evil.test')[0]!.prober.outcome = rejectedBy('mx.evil.test', text);
      return check({ email: 'jane@evil.test', team: 'team_evil', mx });
    };

    it('is not charged for the provider, and counts no rejection of it, while only the own server is dialled', async () => {
      use('a');
      daily(40);
      for (let n = 0; n < 100; n += 1) await attack();
      expect([...warmup.ceilings()]).toEqual([]);
      egresses[0]!.prober.outcome = answeredBy(GOOGLE);
      expect(await askGoogle('jane')).toMatchObject({ evidence: { category: 'mailbox_not_found' } });
      expect([...warmup.ceilings()]).toEqual([{ egress: 'a', provider: 'google', ceiling: 40, used: 1 }]);
      expect(rejections).toBe(0);
    });

    it('counts a rejection only for the provider whose host has rejected the egress', async () => {
      use('a');
      daily(40);
      const evil = aRejection('mx.evil.test', REJECTIONS.sender, 'banner');
      egresses[0]!.prober.outcome = answeredBy(GOOGLE, [evil]);
      await check({ email: 'jane@evil.test', mx });
      expect(rejections).toBe(0);
      egresses[0]!.prober.outcome = rejectedBy('mx.evil.test');
      await check({ email: 'jane@evil.test', mx: [GOOGLE, 'mx.evil.test'] });
      expect(rejections).toBe(0);
      egresses[0]!.prober.outcome = rejectedBy(GOOGLE);
      await askGoogle('jane');
      expect(rejections).toBe(1);
    });

    it('keeps the rejection of the own server as its result when the provider’s ceiling is reached', async () => {
      use('a');
      daily(1);
      egresses[0]!.prober.outcome = answeredBy(GOOGLE);
      await askGoogle('jane');
      egresses[0]!.prober.outcome = rejectedBy('mx.evil.test');
      expect((await check({ email: 'jane@evil.test', mx })).evidence).toMatchObject({
        category: 'sender_blocked',
        mxHost: 'mx.evil.test',
      });
    });
  });
});
