import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsWorld } from '../../test/support/dns/dns-world.js';
import { AdjustableClock } from '../../test/support/time/adjustable-clock.js';
import { MemoryWarmupStore } from '../../test/support/verification/memory-warmup-store.js';
import { Lifecycle } from '../kernel/service-state/lifecycle.js';
import { PrometheusMeter } from '../platform/telemetry/prometheus-meter.js';
import { composeEngine, type ComposedEngine } from './compose.js';
import { configOf } from './library/engine-config.js';
import { NO_SHARED_PERMITS } from './limits/connection-permits.js';
import { SharedState, type ReceivedEntry, type SharedKind } from './limits/shared-state.js';
import { PackagedListFiles } from './lists/adapters/packaged-lists.js';

/** The state of an installation whose other processes a test is. */
class OtherProcesses extends SharedState {
  private readonly listeners: [SharedKind, (entry: ReceivedEntry) => void][] = [];

  override publish(): void {}

  override subscribe(kind: SharedKind, onEntry: (entry: ReceivedEntry) => void): void {
    this.listeners.push([kind, onEntry]);
  }

  learn(server: string, connections: number): void {
    const value = { connections, recipients: null, pipelined: null };
    const entry = { kind: 'limits', key: `direct ${server}`, value, ttlMs: 600_000, ageMs: 0 } as const;
    for (const [kind, listener] of this.listeners) if (kind === 'limits') listener(entry);
  }
}

const GOOGLE = 'customer.test-mail.net';
const CORP = 'corp.test-mail.net';

describe('the overview of a domain', () => {
  let dns: DnsWorld;
  let clock: AdjustableClock;
  let state: OtherProcesses;
  let composed: ComposedEngine;
  beforeEach(async () => {
    dns = await DnsWorld.start({
      zones: {
        [GOOGLE]: { mx: [[1, 'aspmx.l.google.com']] },
        [CORP]: { mx: [[1, 'mx.corp.test-mail.net']] },
        'null.test-mail.net': { mx: [[0, '.']] },
        'broken.test-mail.net': { rcode: 'SERVFAIL' },
      },
    });
    clock = new AdjustableClock();
    state = new OtherProcesses();
    composed = compose();
  });
  afterEach(async () => {
    await composed.close();
    await dns.stop();
  });

  const compose = (options = {}) =>
    composeEngine({
      config: configOf({ dnsServers: [dns.server], smtpHeloName: 'verify.rcpt.test', ...options }),
      clock,
      meter: new PrometheusMeter(clock),
      lifecycle: new Lifecycle(),
      lists: new PackagedListFiles(),
      shared: {
        permits: NO_SHARED_PERMITS,
        state,
        hashOf: (key) => key,
        warmup: new MemoryWarmupStore(clock),
      },
    });
  const see = (domain: string) =>
    composed.engine.lookUp(domain, { team: 'team_a', priority: 'list' }, new AbortController().signal);

  it('has its provider, and the sessions that this allows as far as the processes have found', async () => {
    expect(await see(GOOGLE)).toEqual({
      isDead: false,
      provider: 'google',
      capacity: { egress: 'direct', connections: 5, probesLeft: Infinity },
    });
    state.learn('google', 2);
    expect(await see(GOOGLE)).toMatchObject({ capacity: { connections: 2 } });
    clock.advance(600_000);
    expect(await see(GOOGLE)).toMatchObject({ capacity: { connections: 5 } });
  });

  it('shows no limit that was found at the servers of a domain of which the operator knows nothing', async () => {
    const alone = await see(CORP);
    expect(alone).toMatchObject({ provider: 'test-mail.net', capacity: { connections: 4 } });
    state.learn('test-mail.net', 1);
    expect(await see(CORP)).toEqual(alone);
  });

  it('is dead where the DNS says so, and not known where it fails', async () => {
    expect(await see('null.test-mail.net')).toEqual({ isDead: true, provider: null, capacity: null });
    expect(await see('absent.test-mail.net')).toEqual({ isDead: true, provider: null, capacity: null });
    expect(await see('anything.invalid')).toEqual({ isDead: true, provider: null, capacity: null });
    expect(await see('broken.test-mail.net')).toEqual({ isDead: false, provider: null, capacity: null });
  });

  it('has no capacity where none is asked', async () => {
    await composed.close();
    composed = compose({ smtpEnabled: false });
    expect(await see(GOOGLE)).toEqual({ isDead: false, provider: 'google', capacity: null });
  });
});
