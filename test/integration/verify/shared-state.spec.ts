import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LearnedLimits } from '../../../src/engine/smtp/pool/learned-limits.js';
import { CatchAllCache } from '../../../src/engine/catch-all.js';
import { ServerLimits } from '../../../src/engine/smtp/pool/server-limits.js';
import { StoredSharedState } from '../../../src/engine/limits/adapters/stored-shared-state.js';
import { Breakers } from '../../../src/engine/egress/breakers.js';
import { AdjustableClock } from '../../support/time/adjustable-clock.js';
import { SharedDatabase } from '../../support/smtp/shared-database.js';
import { answeredBy, asked, rejectedBy } from '../../support/verification/rejections.js';

const HOSTS = [{ host: 'mx.example.test', preference: 10 }];

/** What one process knows about mail servers, without its timer. */
class Knowledge {
  readonly clock = new AdjustableClock();
  readonly sharedState: StoredSharedState;
  readonly catchAll: CatchAllCache;
  readonly limits: ServerLimits;
  readonly breakers: Breakers;

  constructor(store: ConstructorParameters<typeof StoredSharedState>[0]['store'], process: string) {
    this.sharedState = new StoredSharedState({ store, process, clock: this.clock });
    this.catchAll = new CatchAllCache(this.clock, this.sharedState);
    this.limits = new ServerLimits(this.clock, this.sharedState);
    const hashOf = (key: string) => `hash of ${key.length}${key.slice(0, 2)}`;
    this.breakers = new Breakers((domain) => domain, {
      sharedState: this.sharedState,
      hashOf,
      nowMs: () => this.nowMs,
    });
  }

  get nowMs(): number {
    return this.clock.monotonicMs();
  }

  reject(team: string, email: string): void {
    this.breakers.record(asked(team, email), rejectedBy('mx.example.test'), this.nowMs);
  }

  answer(team: string, email: string): void {
    this.breakers.record(asked(team, email), answeredBy('mx.example.test'), this.nowMs);
  }

  isOpen(team: string, domain: string): boolean {
    return this.breakers.allowedHosts(asked(team, `anyone@${domain}`), HOSTS, this.nowMs).length === 0;
  }
}

describe('shared state', () => {
  const stores = new SharedDatabase();
  let a: Knowledge;
  let b: Knowledge;
  const exchange = async () => {
    await a.sharedState.exchange();
    await b.sharedState.exchange();
    await a.sharedState.exchange();
  };

  beforeAll(async () => {
    await stores.start();
    a = new Knowledge(await stores.connectState(), 'a');
    b = new Knowledge(await stores.connectState(), 'b');
    // The clocks of processes differ.
    b.clock.advance(90_000_000);
  });
  afterAll(() => stores.drop());

  it('reaches the others: whether a domain is catch-all', async () => {
    a.catchAll.set('example.test', HOSTS, 'yes');
    b.catchAll.set('other.test', HOSTS, 'no');
    await exchange();
    expect(b.catchAll.get('example.test', HOSTS)).toBe('yes');
    expect(a.catchAll.get('other.test', HOSTS)).toBe('no');
    expect(b.catchAll.get('example.test', [])).toBeNull();
  });

  it('reaches the others: the provider of a domain, until it has other servers', async () => {
    const google = [{ host: 'aspmx.l.google.com', preference: 1 }];
    a.catchAll.set('hosted.test', google, 'no');
    expect(a.catchAll.providerOf('hosted.test')).toBe('google');
    await exchange();
    expect(b.catchAll.providerOf('hosted.test')).toBe('google');
    expect(b.catchAll.providerOf('example.test')).toBeNull();
    a.catchAll.set('hosted.test', HOSTS, 'no');
    await exchange();
    expect([a, b].map(({ catchAll }) => catchAll.providerOf('hosted.test'))).toEqual([null, null]);
  });

  it('reaches a process that starts later', async () => {
    const late = new Knowledge(await stores.connectState(), 'late');
    await late.sharedState.exchange();
    expect(late.catchAll.get('example.test', HOSTS)).toBe('yes');
  });

  it('expires at the same time as in its own process', async () => {
    a.catchAll.set('brief.test', HOSTS, 'unknown');
    await exchange();
    expect(b.catchAll.get('brief.test', HOSTS)).toBe('unknown');
    b.clock.advance(600_001);
    expect(b.catchAll.get('brief.test', HOSTS)).toBeNull();
  });

  it('reaches the others: the limits of a server, for the same egress', async () => {
    const of = (knowledge: Knowledge, egress: string): LearnedLimits =>
      knowledge.limits.for(egress, '192.0.2.1').limits;
    of(a, 'direct').limitConnections(2);
    of(a, 'direct').limitRecipients(5);
    of(a, 'direct').disablePipelining();
    await exchange();
    const session = { served: 0, rejected: 0, software: null };
    const known = of(b, 'direct');
    expect([known.connections, known.pipelineDepth]).toEqual([2, 1]);
    expect(known.remainingRecipients(session as never)).toBe(5);
    expect(of(b, 'bind').connections).toBe(Infinity);
  });

  it('reaches the others: rejections, which open the breaker of the same team alone', async () => {
    for (const name of ['ann', 'bob', 'cy']) a.reject('team_1', `${name}@one.test`);
    expect([a.isOpen('team_1', 'one.test'), b.isOpen('team_1', 'one.test')]).toEqual([true, false]);
    await exchange();
    expect([b.isOpen('team_1', 'one.test'), b.isOpen('team_2', 'one.test')]).toEqual([true, false]);
    // As in one process: after another team's three, a rejection of its own is enough for a team.
    b.reject('team_2', 'dee@one.test');
    expect(b.isOpen('team_2', 'one.test')).toBe(true);
  });

  it('adds up: an address that two processes were rejected for counts once', async () => {
    a.reject('team_1', 'ann@two.test');
    b.reject('team_1', 'ann@two.test');
    b.reject('team_1', 'bob@two.test');
    await exchange();
    expect([a.isOpen('team_1', 'two.test'), b.isOpen('team_1', 'two.test')]).toEqual([false, false]);
    a.reject('team_1', 'cy@two.test');
    expect(a.isOpen('team_1', 'two.test')).toBe(true);
  });

  it('doubles no pause: a half-open probe that failed in one process is not repeated in the others', async () => {
    for (const name of ['ann', 'bob', 'cy']) a.reject('team_1', `${name}@three.test`);
    await exchange();
    for (const { clock } of [a, b]) clock.advance(5 * 60_000 + 1);
    expect(a.isOpen('team_1', 'three.test')).toBe(false);
    a.breakers.onProbing(asked('team_1', 'dee@three.test'), 'mx.example.test', a.nowMs);
    a.reject('team_1', 'dee@three.test');
    await exchange();
    expect(b.isOpen('team_1', 'three.test')).toBe(true);
    b.clock.advance(9 * 60_000);
    expect(b.isOpen('team_1', 'three.test')).toBe(true);
  });

  it('ends a pause: an answer closes the breakers of its team in all processes, and no others', async () => {
    for (const team of ['team_1', 'team_2'])
      for (const name of ['ann', 'bob', 'cy']) a.reject(team, `${name}@four.test`);
    await exchange();
    b.answer('team_2', 'jo@four.test');
    await exchange();
    const openFor = (team: string) => [a, b].map((process) => process.isOpen(team, 'four.test'));
    expect([openFor('team_1'), openFor('team_2')]).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('contains no address and no reply', async () => {
    const dump = await stores.dumpState();
    expect(dump).toContain('team_1');
    expect(dump).not.toMatch(/@|blocked|\b550[ -]/);
  });

  it('is written on change only, in the statement that reads those of others', async () => {
    await exchange();
    const before = stores.requests;
    for (let n = 0; n < 100; n++) a.answer('team_1', `x${n}@five.test`);
    for (let n = 0; n < 100; n++) a.catchAll.set('example.test', HOSTS, 'yes');
    // One for the egress and one for the provider, which had rejected this team.
    expect(a.sharedState.waitingCount).toBeLessThanOrEqual(2);
    for (let n = 0; n < 500; n++) a.catchAll.set(`d${n}.test`, HOSTS, 'no');
    await a.sharedState.exchange();
    expect(stores.requests - before).toBe(1);
    await b.sharedState.exchange();
    expect(b.catchAll.get('d499.test', HOSTS)).toBe('no');
  });
});
