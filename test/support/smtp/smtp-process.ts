import { setMaxListeners } from 'node:events';
import { NO_SHARED_PERMITS } from '../../../src/engine/limits/connection-permits.js';
import { SharedConnectionPermits } from '../../../src/engine/limits/adapters/shared-connection-permits.js';
import type { SmtpProbeResult } from '../../../src/engine/smtp/protocol/smtp-probe-result.js';
import type { Providers } from '../../../src/engine/providers/session-limits.js';
import { SmtpSessionPool } from '../../../src/engine/smtp/pool/smtp-session-pool.js';
import type { Priority } from '../../../src/kernel/concurrency/fair-queue.js';
import type { PermitStore, PermitTimes } from '../../../src/engine/limits/permit-store.js';
import { NO_SHARED_STATE, type SharedState } from '../../../src/engine/limits/shared-state.js';
import type { Clock } from '../../../src/kernel/clock.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { poolOptions } from './pool-options.js';

interface SmtpProcessOptions {
  name: string;
  port: number;
  /** null: its limits are its own. */
  store: PermitStore | null;
  times?: PermitTimes;
  clock?: Clock;
  maxConnections?: number;
  sharedState?: SharedState;
  idleMs?: number;
  commandTimeoutMs?: number;
  providers?: Providers;
}

/** What one process of an installation does at mail servers: sessions, and the permits that allow them. */
export class SmtpProcess {
  readonly permits: SharedConnectionPermits | null;
  /** What happened to the store of the permits. */
  readonly changes: ('failed' | 'answers')[] = [];
  private readonly pool: SmtpSessionPool;
  private readonly clock: Clock;
  private readonly abort = new AbortController();

  constructor({
    name,
    port,
    store,
    times,
    clock = new SystemClock(),
    maxConnections = 4,
    sharedState = NO_SHARED_STATE,
    idleMs,
    commandTimeoutMs = 5_000,
    providers,
  }: SmtpProcessOptions) {
    setMaxListeners(0, this.abort.signal);
    this.clock = clock;
    const onChange = (error: unknown) => this.changes.push(error === null ? 'answers' : 'failed');
    this.permits =
      store &&
      new SharedConnectionPermits({ store, process: name, clock, onChange, ...(times && { times }) });
    this.pool = new SmtpSessionPool(
      poolOptions(port, clock, {
        connectTimeoutMs: 2_000,
        commandTimeoutMs,
        maxConnections,
        sharedState,
        idleMs,
        ...(providers && { providers }),
        permits: this.permits ?? NO_SHARED_PERMITS,
      }),
    );
  }

  ask(
    localPart: string,
    ip = '127.0.0.1',
    priority: Priority = 'list',
    mxHost = 'mx.test',
  ): Promise<SmtpProbeResult> {
    const recipient = { mailbox: `${localPart}@example.test`, international: false, provider: null };
    const { signal } = this.abort;
    const greetingDeadlineMs = this.clock.monotonicMs() + 60_000;
    const request = { team: '', priority, recipient, signal, greetingDeadlineMs } as const;
    return this.pool.probe(ip, mxHost, request);
  }

  /** Every second mailbox exists. @returns the number of wrong results. */
  async askMany(count: number, ip = '127.0.0.1'): Promise<number> {
    const results = await Promise.all(
      Array.from({ length: count }, (_, n) => this.ask(`${n % 2 === 0 ? 'jane' : 'ghost'}${n}`, ip)),
    );
    return results.filter(({ category }, n) => category !== (n % 2 === 0 ? 'accepted' : 'mailbox_not_found'))
      .length;
  }

  async close(): Promise<void> {
    await this.pool.close();
    await this.permits?.close();
  }
}
