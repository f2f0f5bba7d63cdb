import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { ServerCapabilities } from '../protocol/recipient-transactions.js';
import type { ConnectOptions, Identity } from '../protocol/smtp-conversation.js';
import type { SmtpProbeResult } from '../protocol/smtp-probe-result.js';
import { SmtpSession, type NotOpened } from '../protocol/smtp-session.js';

export interface ConnectionsOptions extends Identity {
  clock: Clock;
  idleMs?: number;
}

/** A connection that was not greeted, and that the server may still count. */
export interface FailedConnection extends Omit<NotOpened, 'result'> {
  /** null: it was aborted. */
  result: SmtpProbeResult | null;
  /** Gives it back to the egress. */
  release: () => void;
}

/** An idle session is closed with QUIT after this time. */
const IDLE_MS = 3_000;
/** How long a server may continue to count a closed connection. */
export const CLOSE_LAG_MS = 2_000;
const MAX_CLOSE_TIMES = 100;

/** The connections to one address, each in one state: being opened, with work, idle, or being closed. */
export class AddressConnections {
  /** The stage of the latest connection attempt. */
  openingStage: SmtpStage = 'connect';
  private readonly openings = new Set<AbortController>();
  /** Greeted sessions that are not being closed, each with what gives its connection back to the egress. */
  private readonly sessions = new Map<SmtpSession, () => void>();
  /** Sessions without work, the latest used last, each with the timer that closes it. */
  private readonly idle = new Map<SmtpSession, NodeJS.Timeout>();
  /** Sessions that sent QUIT, and that the server may still count. */
  private readonly retired = new Set<SmtpSession>();
  /** Connections that were not greeted, and that the server may still count. */
  private readonly failed = new Set<FailedConnection>();
  /** Times of the latest closed connections, which the server may still count. */
  private closedAtMs: number[] = [];

  /** @param onClosed is called when a connection that was retired is closed. */
  constructor(
    private readonly options: ConnectionsOptions,
    private readonly onClosed: () => void,
  ) {}

  /** Greeted sessions. */
  get open(): number {
    return this.sessions.size;
  }

  get opening(): number {
    return this.openings.size;
  }

  /** Also those that were not greeted. */
  get closing(): number {
    return this.retired.size + this.failed.size;
  }

  get idleCount(): number {
    return this.idle.size;
  }

  /** Those that count at the server. */
  get held(): number {
    return this.open + this.opening + this.closing;
  }

  /** Sessions that the server has accepted and may count, also those that were closed a moment ago. */
  get counted(): number {
    const sinceMs = this.options.clock.monotonicMs() - CLOSE_LAG_MS;
    this.closedAtMs = this.closedAtMs.filter((atMs) => atMs > sinceMs);
    return this.open + this.retired.size + this.closedAtMs.length;
  }

  /**
   * Opens one.
   *
   * @param release gives the connection back to the egress.
   * @returns what must be passed to `end` when it was not greeted.
   */
  async start(
    dialling: ConnectOptions,
    capabilities: ServerCapabilities,
    release: () => void,
  ): Promise<SmtpSession | FailedConnection> {
    const abort = new AbortController();
    this.openings.add(abort);
    if (this.open === 0) this.openingStage = 'connect';
    const onStage = (stage: SmtpStage) => (this.openingStage = stage);
    let opened: SmtpSession | NotOpened;
    try {
      const open = () => SmtpSession.open(dialling, this.options, capabilities, abort.signal, onStage);
      opened = await open();
      if (mayTryHelo(opened, capabilities) && !abort.signal.aborted)
        opened = await withHelo(opened, capabilities, open);
    } catch (bug) {
      release();
      throw bug;
    } finally {
      this.openings.delete(abort);
    }
    if (opened instanceof SmtpSession) {
      this.sessions.set(opened, release);
      return opened;
    }
    const { aborted } = abort.signal;
    const failed: FailedConnection = { ...opened, result: aborted ? null : opened.result, release };
    this.failed.add(failed);
    return failed;
  }

  /** Holds a connection that was not greeted until the server no longer counts it. */
  async end(failed: FailedConnection): Promise<void> {
    await failed.closed;
    this.failed.delete(failed);
    failed.release();
    this.onClosed();
  }

  /** Ends all of them at once. */
  abandon(): void {
    this.abortOpenings();
    for (const connection of [...this.sessions.keys(), ...this.retired, ...this.failed]) connection.abandon();
    for (const session of [...this.idle.keys()]) this.retire(session);
  }

  abortOpenings(): void {
    for (const opening of this.openings) opening.abort();
  }

  /** The session has no work. */
  rest(session: SmtpSession): void {
    const timer = setTimeout(() => this.retire(session), this.options.idleMs ?? IDLE_MS);
    this.idle.set(session, timer);
  }

  /** The idle session that was used last, so that the others can expire; null: none. */
  takeIdle(): SmtpSession | null {
    for (const session of [...this.idle.keys()].reverse()) {
      this.stopResting(session);
      if (!session.unsolicitedData) return session;
      // The server has ended it.
      this.retire(session);
    }
    return null;
  }

  /** Closes the session that has been idle for longest. */
  retireIdle(): void {
    const [oldest] = this.idle.keys();
    if (oldest !== undefined) this.retire(oldest);
  }

  retire(session: SmtpSession): void {
    void this.quit(session).then(this.onClosed);
  }

  /** Closes the idle sessions; resolves when the connections are closed. */
  async close(): Promise<void> {
    await Promise.all([...this.idle.keys()].map((session) => this.quit(session)));
  }

  private stopResting(session: SmtpSession): void {
    clearTimeout(this.idle.get(session));
    this.idle.delete(session);
  }

  private async quit(session: SmtpSession): Promise<void> {
    this.stopResting(session);
    const release = this.sessions.get(session);
    this.sessions.delete(session);
    this.retired.add(session);
    await session.quit();
    this.retired.delete(session);
    this.closedAtMs = [...this.closedAtMs.slice(-MAX_CLOSE_TIMES), this.options.clock.monotonicMs()];
    release?.();
  }
}

function mayTryHelo(
  opened: SmtpSession | NotOpened,
  { hello, refusesHelo }: ServerCapabilities,
): opened is NotOpened {
  const isSession = opened instanceof SmtpSession;
  return !isSession && opened.result.isHeloUntried === true && hello === 'EHLO' && !refusesHelo;
}

/**
 * Opens a session with HELO (RFC 5321 §3.2) after the server closed the connection at EHLO. The server is remembered:
 * further sessions begin with HELO at once, or HELO is not tried again.
 *
 * @returns the first rejection if HELO fails too.
 */
async function withHelo(
  { result, closed }: NotOpened,
  capabilities: ServerCapabilities,
  open: () => Promise<SmtpSession | NotOpened>,
): Promise<SmtpSession | NotOpened> {
  // The server sees one connection at a time.
  await closed;
  capabilities.hello = 'HELO';
  const opened = await open();
  if (opened instanceof SmtpSession) return opened;
  capabilities.hello = 'EHLO';
  capabilities.refusesHelo = true;
  const beginning = [...(result.beginning ?? []), ...(opened.result.beginning ?? [])];
  return { ...opened, result: { ...result, beginning } };
}
