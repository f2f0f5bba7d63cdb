import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { ConnectionLease, ConnectionLeases } from '../../limits/connection-leases.js';
import type { Requester } from '../../limits/requester.js';
import { FairQueue } from '../../../kernel/concurrency/fair-queue.js';
import type { ConnectOptions } from './smtp-conversation.js';
import { IdleSessions } from './idle-sessions.js';
import { sessionFaultOf, type SessionFault } from './session-fault.js';
import { isOverload, type SmtpProbeResult } from './smtp-probe-result.js';
import type { ServerRejections } from './server-rejections.js';
import type { LearnedLimits } from './learned-limits.js';
import {
  SmtpSession,
  type Identity,
  type ServerCapabilities,
  type RecipientQuestion,
} from './smtp-session.js';

export interface HostConnectionPoolOptions extends Identity {
  clock: Clock;
  dialling: ConnectOptions;
  limits: LearnedLimits;
  rejections: ServerRejections;
  leases: ConnectionLeases;
  /** The name of the egress route. */
  egressName: string;
}

/** A request to probe one recipient. */
export interface Request extends Requester {
  question: RecipientQuestion;
  /** The deadline. */
  signal: AbortSignal;
  /** When to give up while no session has been greeted, in milliseconds of the monotonic clock. */
  greetingDeadlineMs: number;
}

interface Job extends Request {
  answer(result: SmtpProbeResult): void;
  /** Recipients that the session had served when this request failed in it; 0: it has not failed. */
  failedAfter: number;
  tries: number;
}

/** Attempts of a request whose session was exhausted. */
const MAX_TRIES = 3;
/** How long a server may continue to count a closed connection. */
const CLOSE_LAG_MS = 2_000;
const MAX_CLOSE_TIMES = 100;

/**
 * The sessions with one server, and the requests that wait for one. Servers allow few connections but
 * many recipients per connection.
 */
export class HostConnectionPool {
  private readonly waiting = new FairQueue<Job>();
  private readonly idle = new IdleSessions((session) => this.retireAndServe(session));
  private readonly limits: LearnedLimits;
  private readonly lease: ConnectionLease;
  private readonly capabilities: ServerCapabilities = { tls: false, pipelining: true };
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

  constructor(private readonly options: HostConnectionPoolOptions) {
    const { limits, leases, egressName, dialling } = options;
    this.limits = limits;
    this.lease = leases.leaseFor(egressName, dialling.ip, () => this.serve());
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
      const cancelIf = (isExpired: () => boolean) => () => {
        if (isExpired() && this.waiting.remove(request, job)) job.answer(this.notGreeted(request.signal));
        this.abortOpenings();
      };
      const onAbort = cancelIf(() => true);
      const onGreetingDeadline = cancelIf(() => this.openSessions === 0);
      const timer = setTimeout(
        onGreetingDeadline,
        Math.max(0, request.greetingDeadlineMs - clock.monotonicMs()),
      );
      request.signal.addEventListener('abort', onAbort, { once: true });
      const answer = (result: SmtpProbeResult) => {
        clearTimeout(timer);
        request.signal.removeEventListener('abort', onAbort);
        resolve(result);
      };
      const job: Job = { ...request, answer, failedAfter: 0, tries: 0 };
      this.waiting.add(job, job);
      this.serve();
    });
  }

  /** Closes the idle sessions; resolves when the connections are closed. */
  async close(): Promise<void> {
    await Promise.all(this.idle.takeAll().map((session) => this.retire(session)));
  }

  /** Assigns waiting requests to idle sessions, and opens sessions as needed and allowed. */
  private serve(): void {
    const { rejection } = this;
    if (rejection !== null) for (const job of this.waiting.takeAll()) job.answer(rejection);
    while (this.waiting.size > 0) {
      const session = this.takeIdle();
      if (session === null) break;
      void this.runJobs(session, this.takeFor(session));
    }
    this.reportUse();
    while (this.isOverLease && this.idle.size > 0) this.retireAndServe(this.idle.takeOldest()!);
    while (this.mayOpen()) void this.open();
    if (this.waiting.size === 0 || this.pausedMs <= 0) return;
    this.pauseTimer ??= setTimeout(() => ((this.pauseTimer = null), this.serve()), this.pausedMs + 1).unref();
  }

  /** The result of requests while the server is not dialled; null: they wait. */
  private get rejection(): SmtpProbeResult | null {
    return this.openSessions + this.opening.length > 0 ? null : this.options.rejections.answer;
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
    this.lease.update({ held, open: this.openSessions, idle: this.idle.size, wanted, limit });
  }

  /** Connections that this process may have. */
  private get maxConnections(): number {
    return Math.min(this.limits.connections, this.lease.allowed);
  }

  /** Another process gets a share: this one has more sessions than it may keep. */
  private get isOverLease(): boolean {
    return this.openSessions + this.opening.length > this.lease.allowed;
  }

  /**
   * Opens one connection first, and others only after it was greeted, so that an overloaded server sees
   * one attempt.
   */
  private mayOpen(): boolean {
    if (this.pausedMs > 0) return false;
    const wanted = this.openSessions === 0 ? Math.min(1, this.waiting.size) : this.waiting.size;
    return this.opening.length < wanted && this.held < this.maxConnections;
  }

  private async open(): Promise<void> {
    const abort = new AbortController();
    this.opening.push(abort);
    this.lease.onOpening();
    this.reportUse();
    if (this.openSessions === 0) this.openingStage = 'connect';
    const openingStage = (stage: SmtpStage) => (this.openingStage = stage);
    const { dialling, heloName, mailFrom } = this.options;
    const opened = await SmtpSession.open(
      dialling,
      { heloName, mailFrom },
      this.capabilities,
      abort.signal,
      openingStage,
    );
    this.opening = this.opening.filter((other) => other !== abort);
    if (opened instanceof SmtpSession) {
      this.openSessions += 1;
      this.options.rejections.onGreeted();
      void this.runJobs(opened, this.takeFor(opened));
    } else if (!abort.signal.aborted) {
      this.onRejected(opened);
    }
    this.serve();
  }

  private onRejected(result: SmtpProbeResult): void {
    const nowMs = this.options.clock.monotonicMs();
    this.closedAtMs = this.closedAtMs.filter((atMs) => atMs > nowMs - CLOSE_LAG_MS);
    const connected = this.openSessions + this.closingSessions + this.closedAtMs.length;
    const others = isOverload(result) ? this.lease.others : 0;
    if (connected + others === 0) return this.options.rejections.onRejected(result, this.lease.isShared);
    // Other sessions are open, so the server works and has reached its connection limit.
    this.limits.limitConnections(connected + others);
    this.fullUntilMs = nowMs + CLOSE_LAG_MS / 10 + randomInt(CLOSE_LAG_MS / 5);
  }

  /** As many requests as may be pipelined, without taking work that other sessions could share. */
  private takeFor(session: SmtpSession): Job[] {
    const { pipelineDepth } = this.limits;
    const share = Math.max(1, Math.ceil(this.waiting.size / Math.max(1, this.maxConnections)));
    const max = Math.min(
      share,
      pipelineDepth,
      session.pipelineDepth,
      this.limits.remainingRecipients(session),
    );
    const jobs: Job[] = [];
    for (let job = this.waiting.take(); job !== null; job = jobs.length < max ? this.waiting.take() : null)
      jobs.push(job);
    return jobs;
  }

  private async runJobs(session: SmtpSession, jobs: readonly Job[]): Promise<void> {
    const before = session.served;
    let isBroken = false;
    let hasFault = false;
    for (const [n, result] of (await session.probe(jobs)).entries()) {
      const served = result.reply === null ? session.served : before + n;
      // The requests behind the one that broke the connection were not processed.
      const fault = isBroken ? 'exhausted' : sessionFaultOf(session, served, jobs[n]!.tries, result);
      hasFault ||= fault !== null;
      this.settleJob(jobs[n]!, result, served, fault);
      isBroken ||= result.reply === null && session.isClosed;
    }
    if (isBroken && jobs.length > 1) this.limits.disablePipelining();
    if (hasFault || session.isClosed || this.limits.areReachedBy(session) || this.isOverLease)
      this.retireAndServe(session);
    else this.idle.add(session);
    this.serve();
  }

  /** Resolves the request, or queues it again for another session. */
  private settleJob(job: Job, result: SmtpProbeResult, served: number, fault: SessionFault | null): void {
    if (fault === 'desynchronized') this.capabilities.pipelining = false;
    if (fault !== null && job.tries < MAX_TRIES && !job.signal.aborted) {
      job.tries += 1;
      job.failedAfter ||= served;
      this.waiting.requeue(job, job);
      return;
    }
    // A fresh session gave an answer: the failure was due to the recipient count of the old session.
    if (job.failedAfter > 0 && result.settled) this.limits.limitRecipients(job.failedAfter);
    job.answer(result);
  }

  private takeIdle(): SmtpSession | null {
    for (let session = this.idle.takeLatest(); session !== null; session = this.idle.takeLatest()) {
      if (!session.unsolicitedData) return session;
      this.retireAndServe(session);
    }
    return null;
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

  private notGreeted(signal: AbortSignal): SmtpProbeResult {
    const stage = this.openSessions > 0 ? 'connect' : this.openingStage;
    const wasDialled = this.opening.length > 0;
    const end = stage === 'connect' && wasDialled && !signal.aborted ? 'no_connect' : 'timeout';
    const nothing = { reply: null, category: null, rule: null, smtputf8: null };
    return { end, stage, tls: false, settled: false, ...nothing };
  }
}
