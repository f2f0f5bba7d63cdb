import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { Requester } from '../domain/requester.js';
import { FairQueue } from './fair-queue.js';
import type { ConnectOptions } from './smtp-conversation.js';
import { isFirstContactDeferral, isOverload, type SmtpProbeResult } from './smtp-probe-result.js';
import { LearnedLimits } from './smtp-limits.js';
import {
  SmtpSession,
  type Identity,
  type ServerCapabilities,
  type RecipientQuestion,
} from './smtp-session.js';

export interface HostConnectionPoolOptions extends Identity {
  clock: Clock;
  dialling: ConnectOptions;
  /** Maximum number of concurrent connections to this server. */
  maxConnections: number;
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

/** An idle session is closed with QUIT after this time. */
const IDLE_MS = 3_000;
/** Attempts of a request whose session was exhausted. */
const MAX_TRIES = 3;
/** How long a server may continue to count a closed connection. */
const CLOSE_LAG_MS = 2_000;
const MAX_CLOSE_TIMES = 100;
/** How long an unreachable server is not dialled again. */
const UNREACHABLE_MS = 10_000;

/**
 * The sessions with one server, and the requests that wait for one. Servers allow few connections but
 * many recipients per connection.
 */
export class HostConnectionPool {
  private readonly waiting = new FairQueue<Job>();
  private readonly idle: { session: SmtpSession; timer: NodeJS.Timeout }[] = [];
  private readonly limits: LearnedLimits;
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
  private pausedUntilMs = -Infinity;
  private closed: { result: SmtpProbeResult; untilMs: number } | null = null;

  constructor(private readonly options: HostConnectionPoolOptions) {
    this.limits = new LearnedLimits(options.maxConnections, options.clock);
  }

  /** Whether the pool holds no session and no request, and can be removed. */
  get isUnused(): boolean {
    return this.openSessions + this.closingSessions + this.opening.length + this.waiting.size === 0;
  }

  /** Queues the request. Never rejects because of the server. */
  probe(request: Request): Promise<SmtpProbeResult> {
    const { clock } = this.options;
    if (this.closed !== null && this.closed.untilMs > clock.monotonicMs() && this.openSessions === 0) {
      return Promise.resolve(this.closed.result);
    }
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
    await Promise.all(
      this.idle.splice(0).map(({ session, timer }) => {
        clearTimeout(timer);
        return this.retire(session);
      }),
    );
  }

  /** Assigns waiting requests to idle sessions, and opens sessions as needed and allowed. */
  private serve(): void {
    while (this.waiting.size > 0) {
      const session = this.takeIdle();
      if (session === null) break;
      void this.runJobs(session, this.takeFor(session));
    }
    while (this.mayOpen()) void this.open();
  }

  /**
   * Opens one connection first, and others only after it was greeted, so that an overloaded server sees
   * one attempt.
   */
  private mayOpen(): boolean {
    const opening = this.opening.length;
    const connections = this.openSessions + opening + this.closingSessions;
    if (this.options.clock.monotonicMs() < this.pausedUntilMs) return false;
    const wanted = this.openSessions === 0 ? Math.min(1, this.waiting.size) : this.waiting.size;
    return opening < wanted && connections < this.limits.connections;
  }

  private async open(): Promise<void> {
    const abort = new AbortController();
    this.opening.push(abort);
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
      this.limits.onGreeted();
      this.closed = null;
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
    // Other sessions are open, so the server works and has reached its connection limit.
    if (connected > 0) {
      this.limits.limitConnections(connected);
      return this.pause(CLOSE_LAG_MS / 10 + randomInt(CLOSE_LAG_MS / 5));
    }
    if (isOverload(result) && this.limits.isWorthRetrying) return this.pause(this.limits.onRejected());
    const pauseMs = result.end === 'no_connect' ? UNREACHABLE_MS : this.limits.onRejected();
    this.closed = { result, untilMs: nowMs + pauseMs };
    for (const job of this.waiting.takeAll()) job.answer(result);
  }

  /** Opens no connection for a while; requests stay queued. */
  private pause(pauseMs: number): void {
    this.pausedUntilMs = this.options.clock.monotonicMs() + pauseMs;
    setTimeout(() => this.serve(), pauseMs + 1).unref();
  }

  /** As many requests as may be pipelined, without taking work that other sessions could share. */
  private takeFor(session: SmtpSession): Job[] {
    const { connections, pipelineDepth } = this.limits;
    const share = Math.max(1, Math.ceil(this.waiting.size / connections));
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
    if (hasFault || session.isClosed || this.limits.areReachedBy(session))
      void this.retire(session).then(() => this.serve());
    else this.keepIdle(session);
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

  private keepIdle(session: SmtpSession): void {
    const entry = { session, timer: setTimeout(() => this.expire(entry), IDLE_MS) };
    this.idle.push(entry);
  }

  private expire(entry: { session: SmtpSession }): void {
    const index = this.idle.findIndex((other) => other === entry);
    if (index !== -1) this.idle.splice(index, 1);
    void this.retire(entry.session).then(() => this.serve());
  }

  /** The most recently used session, so that the others can expire. */
  private takeIdle(): SmtpSession | null {
    for (let entry = this.idle.pop(); entry !== undefined; entry = this.idle.pop()) {
      clearTimeout(entry.timer);
      if (!entry.session.unsolicitedData) return entry.session;
      void this.retire(entry.session).then(() => this.serve());
    }
    return null;
  }

  private async retire(session: SmtpSession): Promise<void> {
    this.openSessions -= 1;
    this.closingSessions += 1;
    await session.quit();
    this.closingSessions -= 1;
    this.closedAtMs = [...this.closedAtMs.slice(-MAX_CLOSE_TIMES), this.options.clock.monotonicMs()];
  }

  /** Aborts connection attempts when no request is left: the server may be unreachable. */
  private abortOpenings(): void {
    if (this.waiting.size > 0) return;
    for (const opening of this.opening) opening.abort();
  }

  private notGreeted(signal: AbortSignal): SmtpProbeResult {
    const stage = this.openSessions > 0 ? 'connect' : this.openingStage;
    const end = stage === 'connect' && !signal.aborted ? 'no_connect' : 'timeout';
    const nothing = { reply: null, category: null, rule: null, smtputf8: null };
    return { end, stage, tls: false, settled: false, ...nothing };
  }
}

type SessionFault = 'exhausted' | 'desynchronized' | 'first_contact';

/**
 * The reason why a failed answer may be due to the session and not to the recipient; null: the answer
 * is final.
 *
 * @param served recipients that the session had answered before.
 */
function sessionFaultOf(
  session: SmtpSession,
  served: number,
  tries: number,
  result: SmtpProbeResult,
): SessionFault | null {
  const connectionLost = result.reply === null && session.isClosed;
  // A server that has answered one pipelined request supports pipelining.
  if (connectionLost && session.wasPipelined && served < 2) return 'desynchronized';
  if (served > 0 && (connectionLost || isOverload(result))) return 'exhausted';
  return tries === 0 && isFirstContactDeferral(result) ? 'first_contact' : null;
}
