import type { Clock } from '../../../kernel/clock.js';
import type { SmtpStage } from '../../../kernel/verdict.js';
import type { ServerCapabilities } from '../protocol/recipient-transactions.js';
import type { ConnectOptions, Identity } from '../protocol/smtp-conversation.js';
import type { SmtpProbeResult } from '../protocol/smtp-probe-result.js';
import { SmtpSession } from '../protocol/smtp-session.js';

export interface ConnectionsOptions extends Identity {
  clock: Clock;
  idleMs?: number;
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
  /** Sessions that sent QUIT and still count at the server. */
  private closingCount = 0;
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

  get closing(): number {
    return this.closingCount;
  }

  get idleCount(): number {
    return this.idle.size;
  }

  /** Those that count at the server. */
  get held(): number {
    return this.open + this.opening + this.closing;
  }

  /** Sessions that the server may count, also those that were closed a moment ago. */
  get counted(): number {
    const sinceMs = this.options.clock.monotonicMs() - CLOSE_LAG_MS;
    this.closedAtMs = this.closedAtMs.filter((atMs) => atMs > sinceMs);
    return this.open + this.closing + this.closedAtMs.length;
  }

  /**
   * Opens one.
   *
   * @param release gives the connection back to the egress.
   * @returns the failure when the server rejected it; null: it was aborted.
   */
  async start(
    dialling: ConnectOptions,
    capabilities: ServerCapabilities,
    release: () => void,
  ): Promise<SmtpSession | SmtpProbeResult | null> {
    const abort = new AbortController();
    this.openings.add(abort);
    if (this.open === 0) this.openingStage = 'connect';
    const onStage = (stage: SmtpStage) => (this.openingStage = stage);
    let opened: SmtpSession | SmtpProbeResult | null = null;
    try {
      opened = await SmtpSession.open(dialling, this.options, capabilities, abort.signal, onStage);
    } finally {
      this.openings.delete(abort);
      if (opened instanceof SmtpSession) this.sessions.set(opened, release);
      else release();
    }
    return opened instanceof SmtpSession || !abort.signal.aborted ? opened : null;
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
    this.closingCount += 1;
    await session.quit();
    this.closingCount -= 1;
    this.closedAtMs = [...this.closedAtMs.slice(-MAX_CLOSE_TIMES), this.options.clock.monotonicMs()];
    release?.();
  }
}
