import type { SmtpSession } from '../protocol/smtp-session.js';

/** An idle session is closed with QUIT after this time. */
const IDLE_MS = 3_000;

interface Entry {
  session: SmtpSession;
  timer: NodeJS.Timeout;
}

/** The sessions with one server that serve no request. */
export class IdleSessions {
  private entries: Entry[] = [];

  /** @param onExpired is called with a session that was idle for too long, or that the server has ended. */
  constructor(
    private readonly onExpired: (session: SmtpSession) => void,
    private readonly idleMs = IDLE_MS,
  ) {}

  get size(): number {
    return this.entries.length;
  }

  add(session: SmtpSession): void {
    const entry = { session, timer: setTimeout(() => this.expire(entry), this.idleMs) };
    this.entries.push(entry);
  }

  /** The most recently used session, so that the others can expire. */
  acquireLatest(): SmtpSession | null {
    for (let session = this.acquire(this.entries.pop()); ; session = this.acquire(this.entries.pop())) {
      if (session === null || !session.unsolicitedData) return session;
      this.onExpired(session);
    }
  }

  acquireOldest(): SmtpSession | null {
    return this.acquire(this.entries.shift());
  }

  acquireAll(): SmtpSession[] {
    return this.entries.splice(0).map((entry) => this.acquire(entry)!);
  }

  private acquire(entry: Entry | undefined): SmtpSession | null {
    if (entry === undefined) return null;
    clearTimeout(entry.timer);
    return entry.session;
  }

  private expire(entry: Entry): void {
    this.entries = this.entries.filter((other) => other !== entry);
    this.onExpired(entry.session);
  }
}
