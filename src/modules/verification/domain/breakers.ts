import type { MxRecord, SmtpEvidence } from '../../../kernel/verdict.js';
import { providerOf } from './mail-exchange.js';
import type { ProbeOutcome } from './mailbox-prober.js';

/** How long nobody is asked after a refusal of us; doubled when the next question is refused too. */
const FIRST_PAUSE_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** One question tries a breaker whose pause is over; the others wait this long for what comes of it. */
const TRIAL_MS = 60_000;
/** One tenant's rule must not shut out a whole provider: this many unrelated domains within this time do. */
const DOMAINS_FOR_PROVIDER = 3;
const PROVIDER_WINDOW_MS = 10 * 60_000;
/** Breakers remembered; the one opened first goes first. */
const MOST = 10_000;

/** Whom a breaker is about: the first word of its key. */
const KINDS = ['domain', 'host', 'provider'] as const;
type Kind = (typeof KINDS)[number];

interface Breaker {
  /** The refusal that opened it. */
  refusal: SmtpEvidence;
  pauseMs: number;
  untilMs: number;
}

/** What is left to ask: all hosts, some, or none, and then why. */
export interface Passage {
  hosts: readonly MxRecord[];
  refusal: SmtpEvidence | null;
}

/**
 * Who has refused us, and is left alone for a while. A refusal before RCPT is of the
 * host: it did not yet know whom we ask about. One at RCPT may be a rule of the domain,
 * and counts for its provider only together with others.
 */
export class Breakers {
  private readonly breakers = new Map<string, Breaker>();
  /** Provider → domain → when it refused us last. */
  private readonly refusals = new Map<string, Map<string, number>>();

  /** @param registrableOf the part of a domain that somebody registered: subdomains of one are not unrelated. */
  constructor(private readonly registrableOf: (domain: string) => string) {}

  /** Whether any is open. */
  isAnyOpen(nowMs: number): boolean {
    for (const { untilMs } of this.breakers.values()) if (untilMs > nowMs) return true;
    return false;
  }

  /** How many are open of domains, hosts and providers. */
  open(nowMs: number): { of: Kind; count: number }[] {
    const keys = [...this.breakers].filter(([, { untilMs }]) => untilMs > nowMs).map(([key]) => key);
    return KINDS.map((of) => ({ of, count: keys.filter((key) => key.startsWith(`${of} `)).length }));
  }

  /** What may be asked now about a domain. Where a pause is over, this question is the trial. */
  passage(domain: string, hosts: readonly MxRecord[], nowMs: number): Passage {
    if (this.breakers.size === 0) return { hosts, refusal: null };
    const refusal = this.refusalOf(`domain ${domain}`, nowMs);
    if (refusal !== null) return { hosts: [], refusal };
    const refusals: SmtpEvidence[] = [];
    const open = hosts.filter(({ host }) => {
      const found = this.refusalOf(`host ${host}`, nowMs) ?? this.refusalOf(providerKey(host), nowMs);
      if (found !== null) refusals.push(found);
      return found === null;
    });
    return { hosts: open, refusal: open.length === 0 ? (refusals[0] ?? null) : null };
  }

  /** What came of the question. */
  learn(domain: string, { end, evidence, refusals }: ProbeOutcome, nowMs: number): void {
    for (const refusal of refusals) this.refused(domain, shareable(refusal), nowMs);
    const isAboutRecipient = end === 'replied' && evidence?.stage === 'rcpt';
    if (!isAboutRecipient || evidence.category === 'sender_blocked' || this.breakers.size === 0) return;
    for (const key of [`domain ${domain}`, `host ${evidence.mxHost}`, providerKey(evidence.mxHost)]) {
      this.breakers.delete(key);
    }
  }

  private refused(domain: string, refusal: SmtpEvidence, nowMs: number): void {
    const isOfDomain = refusal.stage === 'rcpt';
    this.trip(isOfDomain ? `domain ${domain}` : `host ${refusal.mxHost}`, refusal, nowMs);
    const provider = providerOf(refusal.mxHost);
    if (provider === null) return;
    const recent = this.refusals.get(provider) ?? new Map<string, number>();
    recent.set(this.registrableOf(domain), nowMs);
    for (const [other, atMs] of recent) if (atMs <= nowMs - PROVIDER_WINDOW_MS) recent.delete(other);
    this.refusals.set(provider, recent);
    if (recent.size >= DOMAINS_FOR_PROVIDER) this.trip(providerKey(refusal.mxHost), refusal, nowMs);
  }

  private trip(key: string, refusal: SmtpEvidence, nowMs: number): void {
    const before = this.breakers.get(key);
    const isTrial = before !== undefined;
    const pauseMs = isTrial ? Math.min(2 * before.pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    // Questions that were under way when it opened say nothing new.
    if (isTrial && before.untilMs > nowMs + TRIAL_MS) return;
    this.breakers.delete(key);
    this.breakers.set(key, { refusal, pauseMs, untilMs: nowMs + pauseMs });
    const [first] = this.breakers.keys();
    if (this.breakers.size > MOST && first !== undefined) this.breakers.delete(first);
  }

  private refusalOf(key: string, nowMs: number): SmtpEvidence | null {
    const breaker = this.breakers.get(key);
    if (breaker === undefined) return null;
    if (breaker.untilMs > nowMs) return breaker.refusal;
    breaker.untilMs = nowMs + TRIAL_MS;
    return null;
  }
}

/** What a server says at RCPT may name the address, which is nobody else's to know. */
function shareable(refusal: SmtpEvidence): SmtpEvidence {
  return { ...refusal, attempts: 0, text: refusal.stage === 'rcpt' ? null : refusal.text };
}

/** A host that nobody known runs is nobody's but its own. */
function providerKey(mxHost: string): string {
  const provider = providerOf(mxHost);
  return provider === null ? `host ${mxHost}` : `provider ${provider}`;
}
