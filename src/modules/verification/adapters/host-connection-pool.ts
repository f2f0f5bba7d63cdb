import { randomInt } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { Requester } from '../domain/requester.js';
import { FairQueue } from './fair-queue.js';
import type { Dialling } from './smtp-conversation.js';
import { isFirstMeeting, isOverload, type SmtpProbeResult } from './smtp-probe-result.js';
import { LearnedLimits } from './smtp-limits.js';
import { SmtpSession, type Identity, type ServerCapabilities, type Question } from './smtp-session.js';

export interface HostConnectionPoolOptions extends Identity {
  clock: Clock;
  dialling: Dialling;
  /** Connections to this server at once, at most. */
  maxConnections: number;
}

/** Somebody's question, and how it is called off. */
export interface Request extends Requester {
  question: Question;
  /** The deadline. */
  signal: AbortSignal;
  /** When to give up while nobody at all was greeted here, on the clock's monotonic scale. */
  greetedByMs: number;
}

interface Job extends Request {
  answer(finding: SmtpProbeResult): void;
  /** How many recipients the session had served that failed under this one; 0: none failed. */
  failedAfter: number;
  tries: number;
}

/** An idle session is kept this long for the next question; then it says QUIT. */
const IDLE_MS = 3_000;
/** A question that met a worn-out session is asked again in a fresh one, this often. */
const MOST_TRIES = 3;
/** How long a server may go on counting a connection that was closed. */
const LAG_MS = 2_000;
const MOST_LEFT = 100;
/** How long a server that could not be reached is not dialled again. */
const UNREACHABLE_MS = 10_000;

/**
 * The way to one server: its sessions, and who waits for one. A few connections with
 * many recipients each do the work of many with one, and are what servers allow.
 */
export class HostConnectionPool {
  private readonly waiting = new FairQueue<Job>();
  private readonly idle: { session: SmtpSession; timer: NodeJS.Timeout }[] = [];
  private readonly limits: LearnedLimits;
  private readonly capabilities: ServerCapabilities = { tls: false, pipelining: true };
  private opening: AbortController[] = [];
  /** How far the last opening has come. */
  private reached: SmtpStage = 'connect';
  /** Greeted and not yet left. */
  private live = 0;
  /** Said goodbye, and still counted by the server. */
  private leaving = 0;
  /** When the last connections were closed. */
  private left: number[] = [];
  private restsUntilMs = -Infinity;
  private closed: { finding: SmtpProbeResult; untilMs: number } | null = null;

  constructor(private readonly options: HostConnectionPoolOptions) {
    this.limits = new LearnedLimits(options.maxConnections, options.clock);
  }

  /** Whether nothing here would be lost by forgetting it. */
  get isQuiet(): boolean {
    return this.live + this.leaving + this.opening.length + this.waiting.size === 0;
  }

  /** Asks in turn. Never rejects for what the server does. */
  ask(request: Request): Promise<SmtpProbeResult> {
    const { clock } = this.options;
    if (this.closed !== null && this.closed.untilMs > clock.monotonicMs() && this.live === 0) {
      return Promise.resolve(this.closed.finding);
    }
    return new Promise((resolve) => {
      const leaveIf = (unwanted: () => boolean) => () => {
        if (unwanted() && this.waiting.remove(request, job)) job.answer(this.notGreeted(request.signal));
        this.callOffOpenings();
      };
      const onAbort = leaveIf(() => true);
      const onGreetedBy = leaveIf(() => this.live === 0);
      const timer = setTimeout(onGreetedBy, Math.max(0, request.greetedByMs - clock.monotonicMs()));
      request.signal.addEventListener('abort', onAbort, { once: true });
      const answer = (finding: SmtpProbeResult) => {
        clearTimeout(timer);
        request.signal.removeEventListener('abort', onAbort);
        resolve(finding);
      };
      const job: Job = { ...request, answer, failedAfter: 0, tries: 0 };
      this.waiting.add(job, job);
      this.serve();
    });
  }

  /** Ends the idle sessions; resolves when they are closed. */
  async close(): Promise<void> {
    await Promise.all(
      this.idle.splice(0).map(({ session, timer }) => {
        clearTimeout(timer);
        return this.retire(session);
      }),
    );
  }

  /** Gives those who wait a session each, as far as there are any, and opens what is needed and allowed. */
  private serve(): void {
    while (this.waiting.size > 0) {
      const session = this.takeIdle();
      if (session === null) break;
      void this.attend(session, this.takeFor(session));
    }
    while (this.mayOpen()) void this.open();
  }

  /** One connection first, and the others once it was greeted: a server in trouble is met by one. */
  private mayOpen(): boolean {
    const opening = this.opening.length;
    const connections = this.live + opening + this.leaving;
    if (this.options.clock.monotonicMs() < this.restsUntilMs) return false;
    const wanted = this.live === 0 ? Math.min(1, this.waiting.size) : this.waiting.size;
    return opening < wanted && connections < this.limits.connections;
  }

  private async open(): Promise<void> {
    const callOff = new AbortController();
    this.opening.push(callOff);
    if (this.live === 0) this.reached = 'connect';
    const reached = (stage: SmtpStage) => (this.reached = stage);
    const { dialling, heloName, mailFrom } = this.options;
    const opened = await SmtpSession.open(
      dialling,
      { heloName, mailFrom },
      this.capabilities,
      callOff.signal,
      reached,
    );
    this.opening = this.opening.filter((other) => other !== callOff);
    if (opened instanceof SmtpSession) {
      this.live += 1;
      this.limits.letIn();
      this.closed = null;
      void this.attend(opened, this.takeFor(opened));
    } else if (!callOff.signal.aborted) {
      this.turnedAway(opened);
    }
    this.serve();
  }

  private turnedAway(finding: SmtpProbeResult): void {
    const nowMs = this.options.clock.monotonicMs();
    this.left = this.left.filter((atMs) => atMs > nowMs - LAG_MS);
    const inside = this.live + this.leaving + this.left.length;
    // Those who are in show that the server is well: it has enough of us.
    if (inside > 0) {
      this.limits.noMoreThan(inside);
      return this.rest(LAG_MS / 10 + randomInt(LAG_MS / 5));
    }
    if (isOverload(finding) && this.limits.isWelcomeAgain) return this.rest(this.limits.turnedAway());
    const pauseMs = finding.end === 'no_connect' ? UNREACHABLE_MS : this.limits.turnedAway();
    this.closed = { finding, untilMs: nowMs + pauseMs };
    for (const job of this.waiting.takeAll()) job.answer(finding);
  }

  /** Opens nothing for a while; who waits goes on waiting. */
  private rest(pauseMs: number): void {
    this.restsUntilMs = this.options.clock.monotonicMs() + pauseMs;
    setTimeout(() => this.serve(), pauseMs + 1).unref();
  }

  /** As many as go out together, and are not better divided among the sessions. */
  private takeFor(session: SmtpSession): Job[] {
    const { connections, together } = this.limits;
    const share = Math.max(1, Math.ceil(this.waiting.size / connections));
    const most = Math.min(share, together, session.breadth, this.limits.roomIn(session));
    const jobs: Job[] = [];
    for (let job = this.waiting.take(); job !== null; job = jobs.length < most ? this.waiting.take() : null)
      jobs.push(job);
    return jobs;
  }

  private async attend(session: SmtpSession, jobs: readonly Job[]): Promise<void> {
    const before = session.served;
    let isBroken = false;
    let isFlawed = false;
    for (const [n, finding] of (await session.ask(jobs)).entries()) {
      const served = finding.reply === null ? session.served : before + n;
      // What stands behind a question that broke the session off was never heard.
      const flaw = isBroken ? 'worn' : flawOf(session, served, jobs[n]!.tries, finding);
      isFlawed ||= flaw !== null;
      this.hand(jobs[n]!, finding, served, flaw);
      isBroken ||= finding.reply === null && session.over;
    }
    if (isBroken && jobs.length > 1) this.limits.goOneByOne();
    if (isFlawed || session.over || this.limits.areReachedBy(session))
      void this.retire(session).then(() => this.serve());
    else this.keep(session);
    this.serve();
  }

  /** Gives a finding to whoever asked, or the question back to those who wait for another session. */
  private hand(job: Job, finding: SmtpProbeResult, served: number, flaw: Flaw | null): void {
    if (flaw === 'out_of_step') this.capabilities.pipelining = false;
    if (flaw !== null && job.tries < MOST_TRIES && !job.signal.aborted) {
      job.tries += 1;
      job.failedAfter ||= served;
      this.waiting.putBack(job, job);
      return;
    }
    // A fresh session had an answer, so it was the old one's age that it had none.
    if (job.failedAfter > 0 && finding.settled) this.limits.endAfter(job.failedAfter);
    job.answer(finding);
  }

  private keep(session: SmtpSession): void {
    const entry = { session, timer: setTimeout(() => this.dismiss(entry), IDLE_MS) };
    this.idle.push(entry);
  }

  private dismiss(entry: { session: SmtpSession }): void {
    const index = this.idle.findIndex((other) => other === entry);
    if (index !== -1) this.idle.splice(index, 1);
    void this.retire(entry.session).then(() => this.serve());
  }

  /** The one used last: the others may then come to rest. */
  private takeIdle(): SmtpSession | null {
    for (let entry = this.idle.pop(); entry !== undefined; entry = this.idle.pop()) {
      clearTimeout(entry.timer);
      if (!entry.session.unsolicitedData) return entry.session;
      void this.retire(entry.session).then(() => this.serve());
    }
    return null;
  }

  private async retire(session: SmtpSession): Promise<void> {
    this.live -= 1;
    this.leaving += 1;
    await session.leave();
    this.leaving -= 1;
    this.left = [...this.left.slice(-MOST_LEFT), this.options.clock.monotonicMs()];
  }

  /** Nobody waits for a server that may be a black hole. */
  private callOffOpenings(): void {
    if (this.waiting.size > 0) return;
    for (const opening of this.opening) opening.abort();
  }

  private notGreeted(signal: AbortSignal): SmtpProbeResult {
    const stage = this.live > 0 ? 'connect' : this.reached;
    const end = stage === 'connect' && !signal.aborted ? 'no_connect' : 'timeout';
    const nothing = { reply: null, category: null, smtputf8: null };
    return { end, stage, tls: false, settled: false, ...nothing };
  }
}

type Flaw = 'worn' | 'out_of_step' | 'unacquainted';

/**
 * What there may be about the session, and not about the recipient, that a question had no
 * good answer in it; null: nothing, the answer stands.
 *
 * @param served recipients that the session had answered before.
 */
function flawOf(session: SmtpSession, served: number, tries: number, finding: SmtpProbeResult): Flaw | null {
  const brokeOff = finding.reply === null && session.over;
  // Who has answered a question behind RSET in one go knows how.
  if (brokeOff && session.wasPipelined && served < 2) return 'out_of_step';
  if (served > 0 && (brokeOff || isOverload(finding))) return 'worn';
  return tries === 0 && isFirstMeeting(finding) ? 'unacquainted' : null;
}
