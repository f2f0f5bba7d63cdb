import { beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as soon } from 'node:timers/promises';
import { anAddress, aReply } from '../../../test/support/verification/evidence.js';
import { aRejection, answeredBy, rejectedBy } from '../../../test/support/verification/rejections.js';
import { aWarmup } from '../../../test/support/verification/warmup.js';
import type { Priority } from '../../kernel/concurrency/fair-queue.js';
import type { MxRecord, SmtpEvidence } from '../../kernel/verdict.js';
import type { ProbeOutcome, ProbeRequest } from '../smtp/probe.js';
import { Breakers } from './breakers.js';
import type { Egress } from './egress.js';
import type { EgressWarmup } from './egress-warmup.js';
import { probeThroughEgresses } from './probe-through-egresses.js';
import { MINUTE_MS } from '../../kernel/durations.js';

const GOOGLE = 'aspmx.l.google.com';
const NOT_DIALLED: ProbeOutcome = { ...aReply('accepted'), end: 'dns_error', evidence: null, rejections: [] };

/** An egress whose probes end when the test says so. */
class HeldEgress implements Egress {
  readonly key = 'direct';
  readonly name = 'direct';
  readonly isProxied = false;
  readonly outage = { isPaused: () => false };
  /** Recipients under way, in the order in which they were dialled. */
  readonly underWay = new Map<string, (outcome: ProbeOutcome) => void>();
  dialled = 0;

  learnedConnections(): number {
    return Infinity;
  }

  async probe({ recipient, hosts, gate }: ProbeRequest): Promise<ProbeOutcome> {
    for (const { host } of hosts) if (!(await gate?.acquire(host))) return NOT_DIALLED;
    this.dialled += 1;
    return new Promise((resolve) => this.underWay.set(recipient.key, resolve));
  }

  end(outcome: ProbeOutcome, recipient = [...this.underWay.keys()][0] ?? ''): Promise<void> {
    this.underWay.get(recipient)?.(outcome);
    this.underWay.delete(recipient);
    return soon();
  }
}

let nowMs: number;
let egress: HeldEgress;
let breakers: Breakers;
let warmup: EgressWarmup;
beforeEach(() => {
  nowMs = 1_000_000;
  egress = new HeldEgress();
  breakers = new Breakers((domain) => domain.split('.').slice(-2).join('.'));
  daily(1_000);
});

function daily(probes: number): void {
  warmup = aWarmup({ google: probes }, { nowMs: () => nowMs, warm: [] });
}

interface Asking {
  priority?: Priority;
  mx?: string[];
  team?: string;
}

const ask = async (
  email: string,
  { priority = 'list', mx = [GOOGLE], team = 'a' }: Asking = {},
): Promise<SmtpEvidence | null> => {
  const hosts: MxRecord[] = mx.map((host, n) => ({ host, preference: n }));
  const request = { recipient: anAddress(email), hosts, probeRandom: false, team, priority };
  const parts = { egresses: [egress], breakers, warmup, nowMs: () => nowMs };
  const signal = new AbortController().signal;
  return (await probeThroughEgresses({ ...request, deadlineMs: nowMs + 10_000 }, parts, signal)).evidence;
};
const askMany = (count: number, asking?: Asking) =>
  Array.from({ length: count }, (_, n) => ask(`jane@d${n}.${asking?.team ?? 'a'}${n}.test`, asking));
const open = async () => {
  for (let n = 0; n < 6; n += 1) {
    void ask(`jane@refusing${n}.test`);
    await soon();
    await egress.end(rejectedBy(GOOGLE));
  }
};

describe('before a provider has answered a team', () => {
  it('eight recipients are under way, and the others end as with an open breaker when six were refused', async () => {
    const all = askMany(40);
    await soon();
    expect(egress.underWay.size).toBe(8);
    while (egress.underWay.size > 0) await egress.end(rejectedBy(GOOGLE));
    const evidence = await Promise.all(all);
    expect(egress.dialled).toBeLessThanOrEqual(13);
    const notProbed = evidence.filter((one) => one?.attempts === 0);
    expect(notProbed).toHaveLength(40 - egress.dialled);
    expect(notProbed.every((one) => one?.category === 'sender_blocked' && one.rule === undefined)).toBe(true);
  });

  it('an unknown user is an answer, and a refusal by a recipient is none', async () => {
    void askMany(40);
    await soon();
    await egress.end(rejectedBy(GOOGLE, 'Sender blocked by recipient'));
    expect(egress.underWay.size).toBe(8);
    await egress.end(answeredBy(GOOGLE));
    expect(egress.underWay.size).toBe(38);
  });

  it('recipients of another team do not wait', async () => {
    void askMany(40);
    void askMany(3, { team: 'b' });
    await soon();
    expect(egress.underWay.size).toBe(11);
  });

  it('a single call is probed before the rows that wait', async () => {
    void askMany(40);
    void ask('single@z.test', { priority: 'single' });
    await soon();
    await egress.end({ ...rejectedBy(GOOGLE, 'Sender blocked by recipient') });
    expect([...egress.underWay.keys()].at(-1)).toBe('single@z.test');
  });

  it('a host that was refused connections is not dialled by those that waited for it, but others are', async () => {
    void askMany(40, { mx: ['mx.one.test'] });
    await soon();
    for (let n = 0; n < 3; n += 1) await egress.end(rejectedBy('mx.one.test', 'blocked', 'banner'));
    while (egress.underWay.size > 0) await egress.end(rejectedBy('mx.one.test', 'blocked', 'banner'));
    expect(egress.dialled).toBeLessThanOrEqual(10);
    void ask('jane@other.test', { mx: ['mx.two.test'] });
    await soon();
    expect(egress.underWay.size).toBe(1);
  });
});

describe('a ceiling of probes', () => {
  it('does not use up the half-open probe of a breaker', async () => {
    await open();
    daily(1);
    void ask('other@b.test', { team: 'b' });
    await soon();
    nowMs += 5 * MINUTE_MS;
    expect(await ask('one@x.test')).toMatchObject({ rule: 'egress.warmup' });
    expect(await ask('two@x.test')).toMatchObject({ rule: 'egress.warmup' });
    daily(10);
    void ask('three@x.test');
    await soon();
    expect([...egress.underWay.keys()]).toEqual(['other@b.test', 'three@x.test']);
  });

  it('is not charged by recipients that a breaker has stopped while they waited', async () => {
    daily(100);
    const all = askMany(40);
    await soon();
    while (egress.underWay.size > 0) await egress.end(rejectedBy(GOOGLE));
    await Promise.all(all);
    const [{ used } = { used: 0 }] = [...warmup.ceilings()];
    expect(used).toBe(egress.dialled);
  });

  it('that is reached gives back the places of those that waited for a first answer', async () => {
    daily(1);
    await Promise.all(askMany(40).slice(1));
    expect(egress.dialled).toBe(1);
    await egress.end(rejectedBy(GOOGLE, 'Sender blocked by recipient'));
    daily(1_000);
    void askMany(40);
    await soon();
    expect(egress.underWay.size).toBe(8);
  });
});

describe('the half-open probe', () => {
  it('is one request, also while many wait, and its answer lets all of them in', async () => {
    await open();
    nowMs += 5 * MINUTE_MS;
    const all = askMany(20);
    await soon();
    expect(egress.underWay.size).toBe(1);
    expect((await Promise.all(all.slice(1))).every((one) => one?.attempts === 0)).toBe(true);
    await egress.end(answeredBy(GOOGLE, [aRejection('mx0.other.test')]));
    void askMany(20);
    await soon();
    expect(egress.underWay.size).toBe(20);
  });
});
