import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { ServerPermits, ConnectionPermits } from '../../limits/connection-permits.js';
import { FairQueue } from '../../../kernel/concurrency/fair-queue.js';
import type { ConnectOptions } from './smtp-conversation.js';
import { IdleSessions } from './idle-sessions.js';
import { LateRejections } from './late-rejections.js';
import { jobFor, notGreeted, type Job, type Request, probedBy, type Probed } from './pool-request.js';
import { isOverload, type SmtpProbeResult } from './smtp-probe-result.js';
import { CLOSE_LAG_MS, type ProviderConnections, type ProviderMember } from './provider-connections.js';
import type { ServerRejections } from './server-rejections.js';
import type { LearnedLimits } from './learned-limits.js';
import { ServerCapabilities } from './recipient-transactions.js';
import { SmtpSession, type Identity } from './smtp-session.js';

export interface HostConnectionPoolOptions extends Identity {
  clock: Clock;
  dialling: ConnectOptions;
  limits: LearnedLimits;
  rejections: ServerRejections;
  permits: ConnectionPermits;
  /** The name of the egress route. */
  egressName: string;
  provider: ProviderConnections;
  idleMs?: number;
}

/** Attempts of a request whose session was exhausted. */
const MAX_TRIES = 3;
const MAX_CLOSE_TIMES = 100;
/** Rejections in a row at one address that may be due to sessions at others of the provider. */
const MAX_ELSEWHERE = 5;

/**
 * The sessions with one server, and the requests that wait for one. Servers allow few connections but
 * many recipients per connection.
 */
export class HostConnectionPool implements ProviderMember {
  private readonly waiting = new FairQueue<Job>();
  private readonly idle = new IdleSessions((session) => this.retireAndServe(session), this.options.idleMs);
  private readonly limits: LearnedLimits;
  private readonly permits: ServerPermits;
  private readonly capabilities = new ServerCapabilities();
  private readonly late: LateRejections;
  private opening: AbortController[] = [];
  /** The stage of the latest connection attempt. */
  private openingStage: SmtpStage = 'connect';
  /** Sessions that were greeted and are not being closed. */
  private openSessions = 0;
  /** Sessions that sent QUIT and still count at the server. */
  private closingSessions = 0;
  /** Times of the latest closed connections. */
  private closedAtMs: number[] = [];
  /** After the limit of the server was reached. */
  private fullUntilMs = -Infinity;
  private pauseTimer: NodeJS.Timeout | null = null;
  /** Since the last greeting. */
  private rejectedInRow = 0;

  constructor(private readonly options: HostConnectionPoolOptions) {
    this.limits = options.limits;
    this.late = new LateRejections(options.clock, options.limits, options.provider);
    this.permits = options.permits.permitsFor(options.egressName, options.dialling.ip, () => this.serve());
  }

  get provider(): string {
    return this.options.provider.name;
  }

  /** Whether the pool holds no session and no request, and can be removed. */
  get isUnused(): boolean {
    return this.held + this.waiting.size === 0;
  }

  /** Connections that count at the server. */
  private get held(): number {
    return this.openSessions + this.opening.length + this.closingSessions;
  }

  /** Queues the request. Never rejects because of the server. */
  probe(request: Request): Promise<SmtpProbeResult> {
    const { clock } = this.options;
    const { rejection } = this;
    if (rejection !== null) return Promise.resolve(rejection);
    return new Promise((resolve) => {
      const job = jobFor(request, clock, resolve, (late, isDeadline) => {
        const isExpired = isDeadline || this.openSessions === 0;
        if (isExpired && this.waiting.remove(request, late)) late.finish(this.notGreeted(request.signal));
        this.abortOpenings();
      });
      this.waiting.add(job, job);
      this.serve();
    });
  }

  /** Closes the idle sessions; resolves when the connections are closed. */
  async close(): Promise<void> {
    await Promise.all(this.idle.acquireAll().map((session) => this.retire(session)));
  }

  retireIdle(): void {
    const session = this.idle.acquireOldest();
    if (session !== null) this.retireAndServe(session);
  }

  /** Assigns waiting requests to idle sessions, and opens sessions as needed and allowed. */
  serve(): void {
    const { rejection } = this;
    if (rejection !== null) for (const job of this.waiting.dequeueAll()) job.finish(rejection);
    while (this.waiting.size > 0 && this.options.provider.waitMs === 0) {
      const session = this.idle.acquireLatest();
      if (session === null) break;
      void this.runJobs(session, this.dequeueFor(session));
    }
    this.reportUse();
    while (this.isOverPermits && this.idle.size > 0) this.retireAndServe(this.idle.acquireOldest()!);
    while (this.mayOpen()) void this.open();
    const pausedMs = Math.max(this.pausedMs, this.options.provider.waitMs);
    if (this.waiting.size === 0 || pausedMs <= 0) return;
    this.pauseTimer ??= setTimeout(() => ((this.pauseTimer = null), this.serve()), pausedMs + 1).unref();
  }

  /** The result of requests while the server is not dialled; null: they wait. */
  private get rejection(): SmtpProbeResult | null {
    return this.openSessions + this.opening.length > 0 ? null : this.options.rejections.result;
  }

  /** For this time no connection is opened. */
  private get pausedMs(): number {
    const { clock, rejections } = this.options;
    return Math.max(this.fullUntilMs, rejections.pausedUntilMs) - clock.monotonicMs();
  }

  private reportUse(): void {
    const { held, waiting, opening } = this;
    const limit = this.limits.connections;
    const wanted = Math.max(held, Math.min(limit, held + waiting.size - opening.length));
    const use = { held, open: this.openSessions, idle: this.idle.size, queued: waiting.size };
    this.permits.update({ ...use, wanted, limit });
    this.options.provider.report(this, {
      ...use,
      wanted,
      // A server that cannot be dialled now does not delay others of the provider.
      mayOpen: this.pausedMs <= 0 && held < this.maxConnections,
      active: this.openSessions + opening.length,
      closedAtMs: this.closedAtMs,
      isUrgent: held === 0 && waiting.hasSingles,
    });
  }

  /** Connections that this process may have. */
  private get maxConnections(): number {
    return Math.min(this.limits.connections, this.permits.allowed);
  }

  /** Another process gets a share: this one has more sessions than it may keep. */
  private get isOverPermits(): boolean {
    const isOver = this.openSessions + this.opening.length > this.permits.allowed;
    return isOver || this.options.provider.isOver(this);
  }

  /**
   * Opens one connection first, and others only after it was greeted, so that an overloaded server sees
   * one attempt.
   */
  private mayOpen(): boolean {
    if (this.pausedMs > 0) return false;
    const wanted = this.openSessions === 0 ? Math.min(1, this.waiting.size) : this.waiting.size;
    if (this.opening.length >= wanted || this.held >= this.maxConnections) return false;
    return this.options.provider.mayOpen(this);
  }

  private async open(): Promise<void> {
    const abort = new AbortController();
    this.opening.push(abort);
    this.permits.onOpening();
    this.options.provider.onOpening();
    this.reportUse();
    if (this.openSessions === 0) this.openingStage = 'connect';
    const onStage = (stage: SmtpStage) => (this.openingStage = stage);
    const { options, capabilities } = this;
    const opened = await SmtpSession.open(options.dialling, options, capabilities, abort.signal, onStage);
    this.opening = this.opening.filter((other) => other !== abort);
    if (opened instanceof SmtpSession) {
      this.openSessions += 1;
      this.rejectedInRow = 0;
      this.options.rejections.onGreeted();
      void this.runJobs(opened, this.dequeueFor(opened));
    } else if (!abort.signal.aborted) {
      this.onRejected(opened);
    }
    this.serve();
  }

  private onRejected(result: SmtpProbeResult): void {
    const nowMs = this.options.clock.monotonicMs();
    this.closedAtMs = this.closedAtMs.filter((atMs) => atMs > nowMs - CLOSE_LAG_MS);
    const connected = this.openSessions + this.closingSessions + this.closedAtMs.length;
    const others = isOverload(result) ? this.permits.others : 0;
    const elsewhere = isOverload(result) ? this.options.provider.countedElsewhere(this) : 0;
    this.rejectedInRow += 1;
    const isFull = connected + others > 0 || (elsewhere > 0 && this.rejectedInRow < MAX_ELSEWHERE);
    const isShared = this.permits.processes > 1 || this.options.provider.isShared;
    if (!isFull) return this.options.rejections.onRejected(result, isShared);
    // Other sessions are open: the server, or its provider, has reached its connection limit.
    if (elsewhere > 0) this.options.provider.limitConnections(connected, elsewhere);
    else this.limits.limitConnections(connected + others);
    const pauseMs = (CLOSE_LAG_MS / 10) * 2 ** Math.min(this.rejectedInRow - 1, 4);
    this.fullUntilMs = nowMs + pauseMs + randomInt(pauseMs);
  }

  /** As many requests as may be pipelined, without taking work that other sessions could share. */
  private dequeueFor(session: SmtpSession): Job[] {
    const { provider } = this.options;
    const { pipelineDepth } = this.limits;
    const share = Math.max(1, Math.ceil(this.waiting.size / Math.max(1, this.maxConnections)));
    const max = Math.min(
      share,
      pipelineDepth,
      session.pipelineDepth,
      this.limits.remainingRecipients(session),
    );
    const count = provider.acquire(Math.min(Math.max(1, max), this.waiting.size));
    const jobs: Job[] = [];
    while (jobs.length < count) jobs.push(this.waiting.dequeue()!);
    return jobs;
  }

  private async runJobs(session: SmtpSession, first: readonly Job[]): Promise<void> {
    let held: readonly Probed[] = [];
    let hasError = false;
    const isOver = () =>
      hasError || session.isClosed || this.limits.areReachedBy(session) || this.isOverPermits;
    for (let jobs = first; jobs.length > 0;) {
      const probed = await probedBy(session, jobs);
      const isBroken = session.isClosed && probed.some(({ result }) => result.reply === null);
      if (isBroken && jobs.length > 1) this.limits.disablePipelining();
      hasError = probed.some(({ error }) => error !== null);
      const { certain, doubtful } = this.late.divide([...held, ...probed]);
      for (const item of certain) this.settleJob(item);
      held = doubtful;
      jobs = this.late.mayWait(held) && !isOver() ? this.dequeueFor(session) : [];
    }
    if (held.length > 0) {
      held = await this.late.judge(session, held);
      hasError ||= held.some(({ error }) => error !== null);
      for (const item of held) this.settleJob(item);
    }
    if (isOver()) this.retireAndServe(session);
    else this.idle.add(session);
    this.serve();
  }

  /** Resolves the request, or queues it again for another session. */
  private settleJob({ job, result, served, error }: Probed): void {
    if (error === 'desynchronized') this.capabilities.pipelining = false;
    if (error !== null && job.tries < MAX_TRIES && !job.signal.aborted) {
      job.tries += 1;
      if (error !== 'late_rejection') job.failedAfter ||= served;
      this.waiting.requeue(job, job);
      return;
    }
    // A fresh session gave a reply: the failure was due to the recipient count of the old session.
    if (job.failedAfter > 0 && result.settled) this.limits.limitRecipients(job.failedAfter);
    job.finish(error === 'late_rejection' && job.signal.aborted ? notGreeted('timeout', 'rcpt') : result);
  }

  private retireAndServe(session: SmtpSession): void {
    void this.retire(session).then(() => this.serve());
  }

  private async retire(session: SmtpSession): Promise<void> {
    this.openSessions -= 1;
    this.closingSessions += 1;
    await session.quit();
    this.closingSessions -= 1;
    this.reportUse();
    this.closedAtMs = [...this.closedAtMs.slice(-MAX_CLOSE_TIMES), this.options.clock.monotonicMs()];
  }

  /** Aborts connection attempts when no request is left: the server may be unreachable. */
  private abortOpenings(): void {
    if (this.waiting.size > 0) return;
    for (const opening of this.opening) opening.abort();
  }

  private notGreeted({ aborted }: AbortSignal): SmtpProbeResult {
    const stage = this.openSessions > 0 ? 'connect' : this.openingStage;
    const isUnreachable = stage === 'connect' && this.opening.length > 0 && !aborted;
    return notGreeted(isUnreachable ? 'no_connect' : 'timeout', stage);
  }
}
