import { withoutSurroundingSpace } from '../kernel/text/surrounding-space.js';
import type { Clock } from '../kernel/clock.js';
import type { Lifecycle } from '../kernel/service-state/lifecycle.js';
import type { Verdict } from '../kernel/verdict.js';
import { classify } from './lists/address-lists.js';
import type { DisposableOverride, DomainLists } from './lists/domain-list.js';
import { parseEmailAddress, type EmailAddress } from './address/email-address.js';
import { toVerdict, type JudgingRules } from './judge.js';
import type { Provider } from './providers/session-limits.js';
import { consumerProviderOf } from './providers/mail-exchange.js';
import type { RecordedRequester } from './smtp/smtp-transcript.js';
import type { Evidence } from './evidence.js';
import { domainOverview } from './domain-overview.js';
import type { DomainOverview } from './list-preview.js';
import { verify, type EngineParts } from './verify.js';
import type { ListWindows } from './list-windows.js';

export interface EngineOptions {
  parts: EngineParts;
  windows: ListWindows;
  /** Whether a mail server accepts every recipient and returns mail later. */
  acceptsAll: (mxHost: string) => boolean;
  /** The provider of the mail servers that a domain had last; null: not known. */
  providerOf: (domain: string) => string | null;
  /** The provider of a mail server, with its limits. */
  providerAt: (mxHost: string) => Provider;
  /** Called for an internal error, which the caller receives as `internal_error`. */
  onInternalError: (error: unknown) => void;
  lifecycle: Lifecycle;
  clock: Clock;
}

/** Time to send the response before the caller's timeout. */
const MARGIN_MS = 150;

/** No client waits for a list item, and many items may queue for one server. */
export const BATCH_ITEM_TIMEOUT_MS = 180_000;

/** The verification engine, independent of accounts: shared by the API, the worker and the command line. */
export class Engine {
  private readonly clock = this.options.clock;

  constructor(private readonly options: EngineOptions) {}

  get lists(): DomainLists {
    return this.options.parts.lists;
  }

  /** Verifies a text without an account. */
  async check(
    text: string,
    timeoutMs: number,
    rules: JudgingRules,
    requester: RecordedRequester = { team: '', priority: 'single' },
    signal?: AbortSignal,
  ): Promise<Verdict> {
    const start = this.clock.monotonicMs();
    const parsed = parseEmailAddress(text);
    const evidence: Evidence = parsed.ok
      ? await this.verify(parsed.address, null, timeoutMs, requester, signal)
      : { kind: 'syntax', error: parsed.error };
    const now = this.clock.now();
    return toVerdict(text, evidence, this.judgingRules(rules), now, this.clock.monotonicMs() - start);
  }

  /**
   * Verifies a text of a list when its mail servers can use another address.
   *
   * @returns null when the signal aborted before.
   */
  async checkListed(text: string, rules: JudgingRules, signal: AbortSignal): Promise<Verdict | null> {
    const parsed = parseEmailAddress(text);
    const requester = { team: '', priority: 'list' } as const;
    const check = (found: RecordedRequester) => this.check(text, BATCH_ITEM_TIMEOUT_MS, rules, found);
    if (!parsed.ok) return check(requester);
    return this.options.windows.run(parsed.address.domain, requester, signal, check);
  }

  /**
   * Verifies an address within the timeout, or less when the process shuts down. Network failures and
   * internal errors are results; this never rejects.
   *
   * @param override of the address's domain: mail servers of a disposable domain are not probed.
   * @param requester name servers and mail servers are shared fairly between teams.
   * @param signal ends it before the timeout.
   */
  async verify(
    address: EmailAddress,
    override: DisposableOverride | null,
    timeoutMs: number,
    requester: RecordedRequester,
    signal?: AbortSignal,
  ): Promise<Evidence> {
    const budget = Math.max(0, timeoutMs - MARGIN_MS);
    const deadline = new AbortController();
    const abort = () => deadline.abort();
    const timer = setTimeout(abort, budget);
    const unsubscribe = this.options.lifecycle.onDeadline(abort);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    try {
      const request = { address, override, requester, deadlineMs: this.clock.monotonicMs() + budget };
      return await verify(request, this.options.parts, deadline.signal);
    } catch (error) {
      this.options.onInternalError(error);
      const listing = classify(address, this.lists, override);
      return { kind: 'internal_error', address, listing };
    } finally {
      clearTimeout(timer);
      unsubscribe();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** The rules of a team, with what the operator of the installation knows of mail servers. */
  judgingRules({ roleIsRisky }: JudgingRules): JudgingRules {
    return { roleIsRisky, acceptsAll: this.options.acceptsAll };
  }

  /**
   * What the DNS shows of a domain, and how its mail servers would be asked now: none is. Never rejects.
   *
   * @param requester whose breakers and probes count.
   */
  lookUp(domain: string, requester: RecordedRequester, signal: AbortSignal): Promise<DomainOverview> {
    const { parts, providerAt } = this.options;
    return domainOverview(domain, { parts, providerAt }, requester, signal);
  }

  /** The same for all spellings of an address; a text that is no address has one too. */
  identify(text: string): string {
    const parsed = parseEmailAddress(text);
    return parsed.ok ? parsed.address.key : `no address: ${withoutSurroundingSpace(text)}`;
  }

  /** The provider whose mail servers a domain has, without a request; null: not known, or no server is probed. */
  providerOf(domain: string): string | null {
    if (!this.options.parts.smtpEnabled) return null;
    return consumerProviderOf(domain) ?? this.options.providerOf(domain);
  }
}
