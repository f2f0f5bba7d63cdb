import { beforeEach, describe, expect, it } from '@jest/globals';
import { anAddress, aReply, aRoute, aSilence, ShortLists } from '../../test/support/verification/evidence.js';
import { noWarmup } from '../../test/support/verification/warmup.js';
import { Breakers } from './egress/breakers.js';
import type { CatchAll } from './evidence.js';
import type { DisposableOverride } from './lists/domain-list.js';
import { isOfServer, type ProbeOutcome, type ProbeRequest } from './smtp/probe.js';
import { MxResolver, type MailRoute, type ResolvedRoute } from './dns/mx-resolver.js';
import type { Priority, Requester } from '../kernel/concurrency/fair-queue.js';
import { verify } from './verify.js';

/** A simulated network with its next replies, and the requests it received. */
class Network {
  route: MailRoute = aRoute();
  age: Pick<ResolvedRoute, 'cached' | 'ageSeconds'> = { cached: false, ageSeconds: 0 };
  probe: ProbeOutcome = aReply('accepted', { random: 'rejected' });
  nowMs = 0;
  readonly breakers = new Breakers((domain) => domain);
  smtpEnabled = true;
  team = 'team_a';
  override: DisposableOverride | null = null;
  priority: Priority = 'single';
  readonly resolved: string[] = [];
  readonly requesters: Requester[] = [];
  readonly probed: ProbeRequest[] = [];
  readonly known = new Map<string, CatchAll>();

  check(email: string, signal = new AbortController().signal, route?: ResolvedRoute) {
    const parts = {
      resolver: new ScriptedResolver(this),
      egresses: [
        {
          key: 'direct',
          name: 'direct',
          isProxied: false,
          outage: { isPaused: () => false },
          learnedConnections: () => Infinity,
          probe: (request: ProbeRequest) => this.probeFor(request),
        },
      ],
      lists: new ShortLists(),
      catchAll: {
        get: (domain: string) => this.known.get(domain) ?? null,
        set: (domain: string, _: unknown, catchAll: CatchAll) => void this.known.set(domain, catchAll),
      },
      smtpEnabled: this.smtpEnabled,
      breakers: this.breakers,
      warmup: noWarmup(),
      nowMs: () => this.nowMs,
    };
    const requester = { team: this.team, priority: this.priority, route };
    const request = { address: anAddress(email), override: this.override, requester, deadlineMs: 10_000 };
    return verify(request, parts, signal);
  }

  private async probeFor(request: ProbeRequest): Promise<ProbeOutcome> {
    this.probed.push(request);
    const { probe } = this;
    const isRejection = probe.evidence?.category === 'sender_blocked';
    return { ...probe, rejections: isRejection && isOfServer(probe.evidence) ? [probe.evidence] : [] };
  }
}

class ScriptedResolver extends MxResolver {
  constructor(private readonly network: Network) {
    super();
  }

  async resolve(domain: string, _signal: AbortSignal, requester: Requester): Promise<ResolvedRoute> {
    this.network.resolved.push(domain);
    this.network.requesters.push(requester);
    return { route: this.network.route, ...this.network.age };
  }
}

let network: Network;
beforeEach(() => {
  network = new Network();
});

describe('the check ends', () => {
  it.each(['jane@corp.test', 'jane@localhost', 'jane@gmail'])('before the DNS for %s', async (email) => {
    expect((await network.check(email)).kind).toBe('invalid_domain');
    expect(network.resolved).toEqual([]);
  });

  it.each(['no_domain', 'no_mail_server', 'null_mx', 'dns_error'] as const)(
    'after the DNS result %s, with the age of its answer',
    async (kind) => {
      network.route = { kind };
      network.age = { cached: true, ageSeconds: 17 };
      expect(await network.check('jane@corp.com')).toMatchObject({
        kind: 'probed',
        facts: { route: { kind }, probe: null },
        cached: true,
        ageSeconds: 17,
      });
      expect(network.probed).toEqual([]);
    },
  );

  it('before SMTP for a disposable domain that accepts mail', async () => {
    expect(await network.check('jane@throwaway.com')).toMatchObject({ facts: { probe: null } });
    expect([network.resolved, network.probed]).toEqual([['throwaway.com'], []]);
  });

  it('before SMTP for a domain that the team declares disposable, and not for one that it declares not disposable', async () => {
    network.override = { verdict: 'disposable', pattern: 'corp.com', source: 'team' };
    expect(await network.check('jane@corp.com')).toMatchObject({ facts: { probe: null } });
    expect(network.probed).toEqual([]);
    network.override = { verdict: 'not_disposable', pattern: 'throwaway.com', source: 'team' };
    expect(await network.check('jane@throwaway.com')).toMatchObject({
      listing: { disposable: null, checks: { disposable: false } },
      facts: { probe: network.probe },
    });
  });

  it('before SMTP when SMTP is disabled', async () => {
    network.smtpEnabled = false;
    expect(await network.check('jane@corp.com')).toMatchObject({ facts: { probe: null } });
    expect(network.probed).toEqual([]);
  });

  it('with timed_out, not dns_error, when the deadline was reached first', async () => {
    network.route = { kind: 'dns_error' };
    expect((await network.check('jane@corp.com', AbortSignal.abort())).kind).toBe('timed_out');
  });
});

describe('the requester', () => {
  it('is passed to the DNS and to the mail servers, with its priority', async () => {
    network.priority = 'list';
    await network.check('jane@corp.com');
    const expected = { team: 'team_a', priority: 'list' };
    expect([network.requesters[0], network.probed[0]]).toMatchObject([expected, expected]);
  });
});

describe('the mail hosts of a domain', () => {
  it('are not looked up again if they were before the call', async () => {
    const route = { route: aRoute('mx.known.test'), cached: false, ageSeconds: 0 };
    await network.check('jane@corp.com', undefined, route);
    expect(network.resolved).toEqual([]);
    expect(network.probed[0]?.hosts).toEqual([{ host: 'mx.known.test', preference: 10 }]);
  });
});

describe('the catch-all property of a domain', () => {
  it('is probed with the first address, and then cached', async () => {
    await network.check('jane@corp.com');
    network.probe = aReply('accepted', { random: null });
    const second = await network.check('john@corp.com');
    expect(network.probed.map(({ probeRandom }) => probeRandom)).toEqual([true, false]);
    expect(second).toMatchObject({ facts: { catchAll: 'no' } });
    expect(second.cached ?? false).toBe(false);
  });

  it.each([
    ['accepted', 'yes'],
    ['rejected', 'no'],
    ['unusable', 'unknown'],
  ] as const)('is known from a random address that was %s: %s', async (random, catchAll) => {
    network.probe = aReply('accepted', { random });
    expect(await network.check('jane@corp.com')).toMatchObject({ facts: { catchAll } });
    expect([...network.known]).toEqual([['corp.com', catchAll]]);
  });

  it('stays unknown, and is not cached, when it was not probed', async () => {
    network.probe = aSilence('no_connect', 'connect');
    expect(await network.check('jane@corp.com')).toMatchObject({ facts: { catchAll: 'unknown' } });
    expect(network.known.size).toBe(0);
  });

  it.each([
    ['was not sent', null, 'unknown', 'no', []],
    ['has a reply without a meaning', 'unusable', 'unknown', 'no', ['no']],
    ['is rejected', 'rejected', 'no', 'no', ['no']],
    ['is accepted', 'accepted', 'yes', 'yes', ['yes']],
  ] as const)(
    'is that of the table for a large provider’s own domain on its own servers only when a random address %s',
    async (_, random, elsewhere, there, stored) => {
      network.probe = aReply('accepted', { random });
      expect(await network.check('jane@gmail.com')).toMatchObject({
        facts: { catchAll: elsewhere },
      });
      network.known.clear();
      network.route = aRoute('gmail-smtp-in.l.google.com');
      expect(await network.check('jane@gmail.com')).toMatchObject({ facts: { catchAll: there } });
      expect([...network.known.values()]).toEqual(stored);
      expect(network.probed.map(({ probeRandom }) => probeRandom)).toEqual([true, true]);
    },
  );
});

describe('a server that has rejected us', () => {
  const threeAreRejected = async () => {
    network.probe = aReply('sender_blocked', {}, 'blocked: jane@corp.com');
    for (const name of ['jane', 'jack', 'jill']) await network.check(`${name}@corp.com`);
  };

  it('is not probed again at once: the verdict says so, without host, code or text', async () => {
    await threeAreRejected();
    const fourth = await network.check('john@corp.com');
    expect(network.probed).toHaveLength(3);
    const evidence = {
      category: 'sender_blocked',
      attempts: 0,
      stage: null,
      code: null,
      enhancedCode: null,
      mxHost: null,
      tls: null,
      text: null,
      egress: null,
    };
    expect(fourth).toMatchObject({
      kind: 'probed',
      facts: { probe: { end: 'replied', evidence, random: null, smtputf8: null } },
    });
  });

  it('is probed again after the pause, and by all teams once it answers', async () => {
    await threeAreRejected();
    network.nowMs += 5 * 60_000;
    network.probe = aReply('mailbox_not_found');
    await network.check('john@corp.com');
    await network.check('jack@corp.com');
    expect(network.probed).toHaveLength(5);
  });

  it('is probed by another team, which it has not rejected', async () => {
    await threeAreRejected();
    network.team = 'team_b';
    await network.check('john@corp.com');
    expect(network.probed).toHaveLength(4);
  });
});
