import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { ServerPermits, ConnectionPermits } from '../../limits/connection-permits.js';
import { FairQueue } from '../../../kernel/concurrency/fair-queue.js';
import type { ConnectOptions, Identity } from '../protocol/smtp-conversation.js';
import { IdleSessions } from './idle-sessions.js';
import { LateRejections } from './late-rejections.js';
import { Openings } from './openings.js';
import {
  failAll,
  jobFor,
  notGreeted,
  type Job,
  type Request,
  probedBy,
  type Probed,
} from './pool-request.js';
import type { SmtpProbeResult } from '../protocol/smtp-probe-result.js';
import type { ProviderConnections, ProviderMember } from './provider-connections.js';
import { RejectedConnections } from './rejected-connections.js';
import type { ServerRejections } from './server-rejections.js';
import type { LearnedLimits } from './learned-limits.js';
import { ServerCapabilities } from '../protocol/recipient-transactions.js';
import { SmtpSession } from '../protocol/smtp-session.js';

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

/**
 * The sessions with one server, and the requests that wait for one. Servers allow few connections but
 * many recipients per connection.
 */
export class HostConnectionPool implements ProviderMember {
  private readonly waiting = new FairQueue<Job>();
  private readonly idle = new IdleSessions((session) => this.retireAndServe(session), this.options.idleMs);
  private readonly limits = this.options.limits;
  private readonly permits: ServerPermits;
  private readonly capabilities = new ServerCapabilities();
  private readonly late = new LateRejections(this.options.clock, this.limits, () => this.provider);
  private belongsTo = this.options.provider;
  private dialling = this.options.dialling;
  private readonly openings = new Openings(this.waiting);
  /** The stage of the latest connection attempt. */
  private openingStage: SmtpStage = 'connect';
  /** Sessions that were greeted and are not being closed. */
  private openSessions = 0;
  /** Sessions that sent QUIT and still count at the server. */
  private closingSessions = 0;
  private pauseTimer: NodeJS.Timeout | null = null;
  private readonly rejected: RejectedConnections;

  constructor(private readonly options: HostConnectionPoolOptions) {
    this.permits = options.permits.permitsFor(options.egressName, options.dialling.ip, () => this.serve());
    this.rejected = new RejectedConnections(options.clock, this.limits, this.permits, options.rejections);
  }

  /** To which the server belongs. */
  get provider(): ProviderConnections {
    return this.belongsTo;
  }

  /** Whether no connection counts at the server. */
  get isClosed(): boolean {
    return this.held === 0;
  }

  /** Counts the sessions with the server for another provider from now on. */
  moveTo(provider: ProviderConnections, mxHost: string): void {
    this.provider.remove(this);
    this.belongsTo = provider;
    this.dialling = { ...this.dialling, mxHost };
    this.reportUse();
  }

  /** Whether the pool holds no session and no request, and can be removed. */
  get isUnused(): boolean {
    return this.held + this.waiting.size === 0;
  }

  /** Connections that count at the server. */
  private get held(): number {
    return this.openSessions + this.openings.count + this.closingSessions;
  }

  /** Queues the request. Rejects only because of a bug. */
  probe(request: Request): Promise<SmtpProbeResult> {
    const { clock } = this.options;
    const { rejection } = this;
    if (rejection !== null) return Promise.resolve(rejection);
    return new Promise((resolve, reject) => {
      const job = jobFor(request, clock, { resolve, reject }, (late, isDeadline) => {
        const isExpired = isDeadline || this.openSessions === 0;
        if (isExpired && this.waiting.remove(request, late)) late.finish(this.notGreeted(request.signal));
        // When no request is left: the server may be unreachable.
        if (this.waiting.size === 0) this.openings.abortAll();
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
    while (this.waiting.size > 0 && this.provider.waitMs === 0) {
      const session = this.idle.acquireLatest();
      if (session === null) break;
      this.runJobs(session, this.dequeueFor(session));
    }
    this.reportUse();
    while (this.isOverPermits && this.idle.size > 0) this.retireAndServe(this.idle.acquireOldest()!);
    this.openings.abortWaiting(this.isOverPermits);
    while (this.mayOpen()) void this.open();
    const pausedMs = Math.max(this.pausedMs, this.provider.waitMs);
    if (this.waiting.size === 0 || pausedMs <= 0) return;
    this.pauseTimer ??= setTimeout(() => ((this.pauseTimer = null), this.serve()), pausedMs + 1).unref();
  }

  /** The result of requests while the server is not dialled; null: they wait. */
  private get rejection(): SmtpProbeResult | null {
    return this.openSessions + this.openings.count > 0 ? null : this.options.rejections.result;
  }

  /** For this time no connection is opened. */
  private get pausedMs(): number {
    const { clock, rejections } = this.options;
    return Math.max(this.rejected.fullUntilMs, rejections.pausedUntilMs) - clock.monotonicMs();
  }

  private reportUse(): void {
    const { held, waiting } = this;
    const opening = this.openings.count;
    const limit = this.limits.connections;
    const wanted = Math.max(held, Math.min(limit, held + waiting.size - opening));
    const use = { held, open: this.openSessions, idle: this.idle.size, queued: waiting.size };
    this.permits.update({ ...use, wanted, limit });
    this.provider.report(this, {
      ...use,
      wanted,
      // A server that cannot be dialled now does not delay others of the provider.
      mayOpen: this.pausedMs <= 0 && held < this.maxConnections,
      active: this.openSessions + opening,
      closedAtMs: this.rejected.closedAtMs,
      isUrgent: held === 0 && waiting.hasSingles,
    });
  }

  /** Connections that this process may have. */
  private get maxConnections(): number {
    return Math.min(this.limits.connections, this.permits.allowed);
  }

  /** Another process gets a share: this one has more sessions than it may keep. */
  private get isOverPermits(): boolean {
    const isOver = this.openSessions + this.openings.count > this.permits.allowed;
    return isOver || this.provider.isOver(this);
  }

  /**
   * Opens one connection first, and others only after it was greeted, so that an overloaded server sees
   * one attempt.
   */
  private mayOpen(): boolean {
    if (this.pausedMs > 0) return false;
    const wanted = this.openSessions === 0 ? Math.min(1, this.waiting.size) : this.waiting.size;
    if (this.openings.count >= wanted || this.held >= this.maxConnections) return false;
    return this.provider.mayOpen(this);
  }

  private async open(): Promise<void> {
    const opening = this.openings.add();
    const { abort, requester } = opening;
    this.permits.onOpening();
    this.provider.onOpening();
    this.reportUse();
    if (this.openSessions === 0) this.openingStage = 'connect';
    const onStage = (stage: SmtpStage) => (this.openingStage = stage);
    const { options, capabilities } = this;
    const dialling = { ...this.dialling, requester };
    const { signal } = abort;
    const opened = await SmtpSession.open(dialling, options, capabilities, signal, onStage).catch(
      (bug: unknown) => failAll(this.waiting.dequeueAll(), bug),
    );
    this.openings.remove(opening);
    if (opened instanceof SmtpSession) {
      this.openSessions += 1;
      this.rejected.onGreeted();
      this.runJobs(opened, this.dequeueFor(opened));
    } else if (opened !== null && !signal.aborted) {
      const connected = this.openSessions + this.closingSessions;
      const elsewhere = this.provider.countedElsewhere(this);
      this.rejected.onRejected(opened, { connected, elsewhere }, this.provider);
    }
    this.serve();
  }

  /** As many requests as may be pipelined, without taking work that other sessions could share. */
  private dequeueFor(session: SmtpSession): Job[] {
    const { limits, provider } = this;
    const share = Math.max(1, Math.ceil(this.waiting.size / Math.max(1, this.maxConnections)));
    const depth = Math.min(limits.pipelineDepth, session.pipelineDepth, limits.remainingRecipients(session));
    const count = provider.acquire(Math.min(Math.max(1, Math.min(share, depth)), this.waiting.size));
    const jobs: Job[] = [];
    while (jobs.length < count) jobs.push(this.waiting.dequeue()!);
    return jobs;
  }

  /** A bug ends the requests of the session, and not the process. */
  private runJobs(session: SmtpSession, first: readonly Job[]): void {
    const taken: Job[] = [];
    this.runAll(session, first, taken).catch((bug: unknown) => {
      failAll(taken, bug);
      session.isClosed = true;
      this.retireAndServe(session);
    });
  }

  private async runAll(session: SmtpSession, first: readonly Job[], taken: Job[]): Promise<void> {
    let held: readonly Probed[] = [];
    let hasError = false;
    const isOver = () =>
      hasError || session.isClosed || this.limits.areReachedBy(session) || this.isOverPermits;
    for (let jobs = first; jobs.length > 0;) {
      taken.push(...jobs);
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
    if (job.failedAfter > 0 && result.isFinal) this.limits.limitRecipients(job.failedAfter);
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
    this.rejected.onClosed();
  }

  private notGreeted({ aborted }: AbortSignal): SmtpProbeResult {
    const stage = this.openSessions > 0 ? 'connect' : this.openingStage;
    const isUnreachable = stage === 'connect' && this.openings.count > 0 && !aborted;
    return notGreeted(isUnreachable ? 'no_connect' : 'timeout', stage);
  }
}
