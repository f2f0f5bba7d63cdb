import { beforeEach, describe, expect, it } from '@jest/globals';
import { anAddress, aReply, aSilence } from '../../../test/support/verification/evidence.js';
import {
  aRejection,
  answeredBy,
  rejectedBy,
  REJECTIONS,
} from '../../../test/support/verification/rejections.js';
import { ScriptedEgress } from '../../../test/support/verification/scripted-egress.js';
import { noWarmup } from '../../../test/support/verification/warmup.js';
import { Breakers } from './breakers.js';
import { egressOrder } from './egress-choice.js';
import type { ProbeOutcome } from '../smtp/probe.js';
import { probeThroughEgresses } from './probe-through-egresses.js';
import { MINUTE_MS } from '../../kernel/durations.js';

const MX = 'mx.corp.test';

let nowMs: number;
let breakers: Breakers;
let egresses: ScriptedEgress[];
beforeEach(() => {
  nowMs = 1_000_000;
  breakers = new Breakers((domain) => domain);
  use('a', 'b', 'c', 'd');
});

function use(...names: string[]): void {
  egresses = names.map((name) => new ScriptedEgress(name));
}

const DOMAIN = 'corp.test';
/** In the order in which the domain uses them. */
const ordered = (domain = DOMAIN) => egressOrder<ScriptedEgress>(domain, egresses);
const asked = (domain = DOMAIN) => ordered(domain).map(({ prober }) => prober.probed.length);

const check = ({
  email = `jane@${DOMAIN}`,
  team = 'team_a',
  mx = MX,
  others = [] as string[],
  timeoutMs = 10_000,
} = {}) =>
  probeThroughEgresses(
    {
      recipient: anAddress(email),
      hosts: [mx, ...others].map((host, n) => ({ host, preference: 10 * n })),
      probeRandom: false,
      team,
      priority: 'single',
      deadlineMs: nowMs + timeoutMs,
    },
    { egresses, breakers, warmup: noWarmup(), nowMs: () => nowMs },
    new AbortController().signal,
  );

const failed = (end: 'egress_failed' | 'no_route' | 'smtp_protocol_error' | 'timeout'): ProbeOutcome => ({
  ...aSilence(end, 'connect'),
  rejections: [],
});

describe('a domain', () => {
  it('is probed through one egress, always the same, which is in the evidence', async () => {
    for (const name of ['jane', 'jack', 'jill']) {
      const { evidence } = await check({ email: `${name}@${DOMAIN}` });
      expect(evidence).toMatchObject({ egress: ordered()[0]?.name, attempts: 1 });
    }
    expect(asked()).toEqual([3, 0, 0, 0]);
  });

  it('that rejects one egress is probed through the next, whose result counts', async () => {
    ordered()[0]!.prober.outcome = rejectedBy(MX);
    const { evidence } = await check();
    expect(evidence).toMatchObject({
      category: 'mailbox_not_found',
      egress: ordered()[1]?.name,
      attempts: 2,
    });
  });

  it('that rejects all is probed through three of them, and the last one is in the verdict', async () => {
    for (const egress of egresses) egress.prober.outcome = rejectedBy(MX);
    const { evidence } = await check();
    expect(evidence).toMatchObject({
      category: 'sender_blocked',
      egress: ordered()[2]?.name,
      attempts: 3,
    });
    expect(asked()).toEqual([1, 1, 1, 0]);
  });

  it('is not probed through another egress after a recipient has blocked us', async () => {
    ordered()[0]!.prober.outcome = rejectedBy(MX, REJECTIONS.recipient);
    await check();
    expect(asked()).toEqual([1, 0, 0, 0]);
  });

  it.each(['mailbox_not_found', 'greylisted', 'temporary', 'policy', 'mailbox_full'] as const)(
    'is not probed again after the result %s',
    async (category) => {
      ordered()[0]!.prober.outcome = { ...aReply(category), rejections: [] };
      await check();
      expect(asked()).toEqual([1, 0, 0, 0]);
    },
  );

  it('has no mail server if all hosts deny relaying, and may have one while a breaker excludes a host', async () => {
    use('a');
    const [egress] = egresses;
    const others = ['mx2.corp.test'];
    egress!.prober.outcome = { ...aReply('policy'), end: 'relaying_denied', rejections: [] };
    expect((await check({ others })).end).toBe('relaying_denied');
    for (const name of ['a', 'b', 'c']) {
      const question = { address: anAddress(`${name}@other.test`), team: 'team_a', egress: 'a' };
      breakers.record(question, rejectedBy('mx2.corp.test', REJECTIONS.sender, 'banner'), nowMs);
    }
    expect((await check({ others })).end).toBe('replied');
  });

  it('is not probed again when the deadline is near', async () => {
    const [first] = ordered();
    first!.prober.outcome = rejectedBy(MX);
    first!.prober.onProbe = () => (nowMs += 9_500);
    expect((await check()).evidence).toMatchObject({ category: 'sender_blocked', egress: first!.name });
    expect(asked()).toEqual([1, 0, 0, 0]);
  });

  it('is skipped by an egress whose breaker is open, and only by that', async () => {
    ordered()[0]!.prober.outcome = rejectedBy(MX);
    for (const name of ['jane', 'jack', 'jill', 'john', 'joan']) await check({ email: `${name}@${DOMAIN}` });
    expect(asked()).toEqual([3, 5, 0, 0]);
  });

  it('is not probed, without an egress in the evidence, when the breakers of all egresses are open', async () => {
    use('a', 'b');
    for (const egress of egresses) egress.prober.outcome = rejectedBy(MX);
    for (const name of ['jane', 'jack', 'jill']) await check({ email: `${name}@${DOMAIN}` });
    const { evidence } = await check({ email: `john@${DOMAIN}` });
    expect(evidence).toMatchObject({ category: 'sender_blocked', egress: null, attempts: 0, mxHost: null });
    expect(asked()).toEqual([3, 3]);
  });
});

describe('an egress that reaches no server', () => {
  it.each(['egress_failed', 'no_route'] as const)('gives the domain to the next one (%s)', async (end) => {
    ordered()[0]!.prober.outcome = failed(end);
    expect((await check()).evidence).toMatchObject({ egress: ordered()[1]?.name });
  });

  it('may have lost a connection of its proxy; without one, the server has closed it', async () => {
    const [first] = ordered();
    first!.prober.outcome = failed('smtp_protocol_error');
    expect(await check()).toMatchObject({ end: 'smtp_protocol_error' });
    first!.isProxied = true;
    expect(await check()).toMatchObject({ end: 'replied' });
  });

  it('may fail between the address and the random one: both are probed through the next egress', async () => {
    ordered()[0]!.prober.outcome = { ...aReply('accepted', { random: 'egress_failed' }), rejections: [] };
    ordered()[1]!.prober.outcome = { ...aReply('accepted', { random: 'rejected' }), rejections: [] };
    expect(await check()).toMatchObject({ random: 'rejected', evidence: { egress: ordered()[1]?.name } });
  });

  it('is skipped while it is paused, and used again afterwards', async () => {
    const [first] = ordered();
    first!.out = true;
    await check();
    first!.out = false;
    await check();
    expect(asked()).toEqual([1, 1, 0, 0]);
  });

  it('does not hide the rejection of another egress', async () => {
    use('a', 'b');
    ordered()[0]!.prober.outcome = rejectedBy(MX);
    ordered()[1]!.prober.outcome = failed('egress_failed');
    expect(await check()).toMatchObject({ end: 'replied', evidence: { egress: ordered()[0]?.name } });
  });
});

describe('an egress that is rejected by unrelated domains', () => {
  /** Each domain has the egress as its first. */
  const domainsOf = (egress: ScriptedEgress, count: number, name = 'site') =>
    Array.from({ length: 400 }, (_, n) => `${name}${n}.test`)
      .filter((domain) => ordered(domain)[0] === egress)
      .slice(0, count);
  const rejectedAt = (domain: string, text = REJECTIONS.sender) => rejectedBy(`mx.${domain}`, text);
  const visit = async (egress: ScriptedEgress, domains: readonly string[], team = 'team_a') => {
    for (const domain of domains) {
      if (egress.prober.outcome.evidence?.category === 'sender_blocked')
        egress.prober.outcome = rejectedAt(domain, egress.prober.outcome.evidence.text ?? undefined);
      await check({ email: `jane@${domain}`, mx: `mx.${domain}`, team });
    }
  };
  let first: ScriptedEgress;
  beforeEach(() => {
    first = egresses[0]!;
    first.prober.outcome = rejectedBy(MX);
  });

  it('is paused after eight of them, and the others take its domains', async () => {
    await visit(first, domainsOf(first, 8));
    expect(first.prober.probed).toHaveLength(8);
    expect(breakers.egressPauseMs('a', nowMs)).toBeGreaterThan(0);
    await visit(first, domainsOf(first, 12).slice(8));
    expect(first.prober.probed).toHaveLength(8);
  });

  it('is not paused for one domain, one provider, one of its customers or a recipient, however often they reject', async () => {
    for (const text of [REJECTIONS.team, REJECTIONS.recipient]) {
      first.prober.outcome = rejectedBy(MX, text);
      await visit(first, domainsOf(first, 10, text.slice(0, 3).toLowerCase()));
    }
    first.prober.outcome = rejectedBy('aspmx.l.google.com');
    for (const domain of domainsOf(first, 10, 'workspace'))
      await check({ email: `jane@${domain}`, mx: 'aspmx.l.google.com' });
    expect(breakers.egressPauseMs('a', nowMs)).toBe(0);
  });

  it('is not paused while more than one in five answers', async () => {
    const domains = domainsOf(first, 30);
    for (const [n, domain] of domains.entries()) {
      first.prober.outcome = n % 3 === 0 ? answeredBy(`mx.${domain}`) : rejectedAt(domain);
      await check({ email: `jane@${domain}`, mx: `mx.${domain}` });
    }
    expect(breakers.egressPauseMs('a', nowMs)).toBe(0);
  });

  it('is paused only for the team with the rejections', async () => {
    await visit(first, domainsOf(first, 8));
    await visit(first, domainsOf(first, 9).slice(8), 'team_b');
    expect(first.prober.probed).toHaveLength(9);
  });

  it('is tried by one request after five minutes, and stays paused when that is rejected', async () => {
    await visit(first, domainsOf(first, 8));
    nowMs += 5 * MINUTE_MS;
    await visit(first, domainsOf(first, 10).slice(8));
    expect(first.prober.probed).toHaveLength(9);
    nowMs += 9 * MINUTE_MS;
    expect(breakers.isEgressOpen('a', 'team_a', nowMs)).toBe(true);
  });

  it('is used again when the half-open probe is answered', async () => {
    await visit(first, domainsOf(first, 8));
    nowMs += 5 * MINUTE_MS;
    const [ninth = '', ...others] = domainsOf(first, 12).slice(8);
    first.prober.outcome = answeredBy(`mx.${ninth}`);
    await visit(first, [ninth, ...others]);
    expect(first.prober.probed).toHaveLength(12);
  });

  it('stays paused when answers of earlier requests arrive, or answers to another team', async () => {
    await visit(first, domainsOf(first, 8));
    const question = { address: anAddress('jane@late.test'), egress: 'a' };
    for (const team of ['team_a', 'team_b'])
      breakers.record({ ...question, team }, answeredBy('mx.late.test'), nowMs);
    expect(breakers.isEgressOpen('a', 'team_a', nowMs)).toBe(true);
  });

  it('is still used when it is the only one, so that some domains cannot stop the service', async () => {
    use('a');
    const [only] = egresses;
    only!.prober.outcome = rejectedBy(MX);
    await visit(only!, domainsOf(only!, 8));
    only!.prober.outcome = answeredBy('mx.other.test', [aRejection('mx0.other.test')]);
    expect(await check({ email: 'jane@other.test', mx: 'mx.other.test' })).toMatchObject({
      evidence: { category: 'mailbox_not_found', egress: 'a' },
    });
  });
});
