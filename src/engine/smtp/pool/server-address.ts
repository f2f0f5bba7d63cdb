import { FairQueue } from '../../../kernel/concurrency/fair-queue.js';
import { whyNot, type ConnectionLimit } from '../../limits/connection-limit.js';
import type { Provider } from '../../providers/session-limits.js';
import { ServerCapabilities } from '../protocol/recipient-transactions.js';
import type { ConnectOptions } from '../protocol/smtp-conversation.js';
import type { SmtpProbeResult } from '../protocol/smtp-probe-result.js';
import { SmtpSession } from '../protocol/smtp-session.js';
import { AddressConnections, type ConnectionsOptions } from './address-connections.js';
import type { KnownServer } from './known-servers.js';
import { LateRejections } from './late-rejections.js';
import { RECIPIENTS_PER_SESSION } from './learned-limits.js';
import {
  failAll,
  jobFor,
  notGreeted,
  probedBy,
  type Job,
  type Probed,
  type Request,
} from './pool-request.js';
import { append } from '../../../kernel/long-lists.js';

export interface AddressOptions extends ConnectionsOptions {
  dialling: ConnectOptions;
  known: KnownServer;
}

/** The pool of the provider that an address belongs to. */
export interface AddressPool {
  readonly provider: Provider;
  /** Whether no address belongs to it. */
  readonly isEmpty: boolean;
  /** Sessions that this process may have at all addresses of the provider. */
  readonly allowed: number;

  /** Must be called when the address is removed, or belongs to another provider. */
  remove(address: ServerAddress): void;

  /** Must be called after each change of the address. */
  serve(address: ServerAddress): void;

  /** Whether the address must close a session that becomes free. */
  isOver(address: ServerAddress): boolean;

  /** A connection was rejected, or failed. */
  onRejected(address: ServerAddress, result: SmtpProbeResult): void;
}

/** Attempts of a request whose session was exhausted. */
const MAX_TRIES = 3;

/**
 * The sessions with one address, and the requests that wait for one. Servers allow few connections but many
 * recipients per connection. The pool decides when one is opened.
 */
export class ServerAddress {
  readonly waiting = new FairQueue<Job>();
  readonly limits = this.options.known.limits;
  readonly pauses = this.options.known.pauses;
  readonly connections = new AddressConnections(this.options, () => this.pool.serve(this));
  private readonly capabilities = new ServerCapabilities();
  private readonly late = new LateRejections(this.options.clock, this.limits);
  private dialling = this.options.dialling;
  private pauseTimer: NodeJS.Timeout | null = null;

  constructor(
    /** To which the address belongs. */
    public pool: AddressPool,
    private readonly options: AddressOptions,
  ) {}

  /** Counts the sessions for another provider from now on. */
  moveTo(pool: AddressPool, mxHost: string): void {
    this.pool = pool;
    this.dialling = { ...this.dialling, mxHost };
  }

  /** Connections that are held, and those that the waiting requests could use. */
  get wanted(): number {
    const { held, opening } = this.connections;
    return Math.max(held, Math.min(this.limit, held + this.waiting.size - opening));
  }

  /** Connections that this process may have at the address: as configured, or fewer if the server allows fewer. */
  get limit(): number {
    return Math.max(1, Math.min(this.limits.connections, this.pool.provider.connectionsPerHost));
  }

  /** Until the address may be dialled again. */
  get pausedMs(): number {
    return this.pauses.pausedUntilMs - this.options.clock.monotonicMs();
  }

  /**
   * Whether another connection is wanted. One is opened first, and others only after it was greeted, so that an
   * overloaded server sees one attempt.
   */
  get wantsOne(): boolean {
    const { open, opening } = this.connections;
    return opening < (open === 0 ? Math.min(1, this.waiting.size) : this.waiting.size);
  }

  /** The limits of the address itself. */
  get ownLimits(): ConnectionLimit[] {
    return [
      { name: 'pause', room: this.pausedMs > 0 ? 0 : Infinity },
      { name: 'address', room: this.limit - this.connections.held },
    ];
  }

  /** Whether it waits for its first connection. */
  get isStarved(): boolean {
    return this.connections.held === 0 && this.wantsOne && whyNot(this.ownLimits) === null;
  }

  /** Whether it holds no session and no request. */
  get isUnused(): boolean {
    return this.connections.held + this.waiting.size === 0;
  }

  /** Queues the request. Rejects only because of a bug. */
  probe(request: Request): Promise<SmtpProbeResult> {
    const { resultOfPause } = this;
    if (resultOfPause !== null) return Promise.resolve(resultOfPause);
    return new Promise((resolve, reject) => {
      const job = jobFor(request, this.options.clock, { resolve, reject }, (late, isDeadline) => {
        const isExpired = isDeadline || this.connections.open === 0;
        if (isExpired && this.waiting.remove(request, late)) late.finish(this.notGreeted(request.signal));
        // When no request is left: the server may be unreachable.
        if (this.waiting.size === 0) this.connections.abortOpenings();
        this.pool.serve(this);
      });
      this.waiting.add(job, job);
      this.pool.serve(this);
    });
  }

  /** Assigns waiting requests to idle sessions, or ends them while the server rejects us. */
  assign(): void {
    const { resultOfPause } = this;
    if (resultOfPause !== null) for (const job of this.waiting.dequeueAll()) job.finish(resultOfPause);
    while (this.waiting.size > 0) {
      const session = this.connections.takeIdle();
      if (session === null) break;
      this.runJobs(session, this.dequeueFor(session));
    }
    if (this.waiting.size === 0 || this.pausedMs <= 0) return;
    this.pauseTimer ??= setTimeout(
      () => ((this.pauseTimer = null), this.pool.serve(this)),
      this.pausedMs + 1,
    ).unref();
  }

  /** Ends all connections at once. Their requests wait for others. */
  abandon(): void {
    this.connections.abandon();
  }

  /** @param release gives the connection back to the egress. */
  async openOne(release: () => void): Promise<void> {
    const { connections, waiting, dialling, capabilities } = this;
    const opened = await connections
      .start(dialling, capabilities, release)
      .catch((bug: unknown) => failAll(waiting.dequeueAll(), bug));
    if (opened instanceof SmtpSession) {
      this.pauses.onGreeted();
      this.runJobs(opened, this.dequeueFor(opened));
    } else if (opened !== null) {
      // Before it ends: another one is opened then, unless there is a pause.
      if (opened.result !== null) this.pool.onRejected(this, opened.result);
      void connections.end(opened);
    }
    this.pool.serve(this);
  }

  /** The result of requests while the server is not dialled; null: they wait. */
  private get resultOfPause(): SmtpProbeResult | null {
    const { open, opening } = this.connections;
    return open + opening > 0 ? null : this.pauses.result;
  }

  /** As many requests as may be pipelined, without taking work that other sessions could share. */
  private dequeueFor(session: SmtpSession): Job[] {
    const { waiting, limits } = this;
    const sessions = Math.max(1, Math.min(this.limit, this.pool.allowed));
    const share = Math.max(1, Math.ceil(waiting.size / sessions));
    const depth = Math.min(limits.pipelineDepth, session.pipelineDepth, this.recipientsLeft(session));
    const count = Math.min(Math.max(1, Math.min(share, depth)), waiting.size);
    return Array.from({ length: count }, () => waiting.dequeue()!);
  }

  private recipientsLeft(session: SmtpSession): number {
    const { recipientsPerConnection } = this.pool.provider;
    return this.limits.remainingRecipients(session, recipientsPerConnection ?? RECIPIENTS_PER_SESSION);
  }

  /** A bug ends the requests of the session, and not the process. */
  private runJobs(session: SmtpSession, first: readonly Job[]): void {
    const taken: Job[] = [];
    this.runAll(session, first, taken).catch((bug: unknown) => {
      failAll(taken, bug);
      session.isClosed = true;
      this.connections.retire(session);
    });
  }

  private async runAll(session: SmtpSession, first: readonly Job[], taken: Job[]): Promise<void> {
    let held: readonly Probed[] = [];
    let hasError = false;
    const isOver = () =>
      hasError || session.isClosed || this.recipientsLeft(session) <= 0 || this.pool.isOver(this);
    for (let jobs = first; jobs.length > 0;) {
      append(taken, jobs);
      const probed = await probedBy(session, jobs);
      const isBroken =
        session.isClosed && !session.isAbandoned && probed.some(({ result }) => result.reply === null);
      if (isBroken && jobs.length > 1) this.limits.disablePipelining();
      hasError = probed.some(({ error }) => error !== null);
      const { certain, doubtful } = this.late.divide([...held, ...probed]);
      for (const item of certain) this.endJob(item);
      held = doubtful;
      jobs = this.late.mayWait(held) && !isOver() ? this.dequeueFor(session) : [];
    }
    if (held.length > 0) {
      held = await this.late.judge(session, held);
      hasError ||= held.some(({ error }) => error !== null);
      for (const item of held) this.endJob(item);
    }
    if (isOver()) this.connections.retire(session);
    else this.connections.rest(session);
    this.pool.serve(this);
  }

  /** Resolves the request, or queues it again for another session. */
  private endJob({ job, result, served, error }: Probed): void {
    if (error === 'desynchronized') this.capabilities.pipelining = false;
    if (error !== null && job.tries < MAX_TRIES && !job.signal.aborted) {
      job.tries += 1;
      if (error !== 'late_rejection' && error !== 'abandoned') job.failedAfter ||= served;
      this.waiting.requeue(job, job);
      return;
    }
    // A fresh session gave a reply: the failure was due to the recipient count of the old session.
    if (job.failedAfter > 0 && result.isFinal) this.limits.limitRecipients(job.failedAfter);
    job.finish(error === 'late_rejection' && job.signal.aborted ? notGreeted('timeout', 'rcpt') : result);
  }

  private notGreeted({ aborted }: AbortSignal): SmtpProbeResult {
    const { open, opening, openingStage } = this.connections;
    const stage = open > 0 ? 'connect' : openingStage;
    const isUnreachable = stage === 'connect' && opening > 0 && !aborted;
    return notGreeted(isUnreachable ? 'no_connect' : 'timeout', stage);
  }
}
