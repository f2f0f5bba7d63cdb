import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Lifecycle } from '../../kernel/lifecycle.js';
import type { Verdict } from '../../kernel/verdict.js';
import { classify } from './domain/address-lists.js';
import { answer } from './domain/answer.js';
import { Breakers } from './domain/breakers.js';
import { CatchAllCache } from './domain/catch-all.js';
import { DomainLists, type DisposableOverride } from './domain/disposable-domains.js';
import { parseEmailAddress, type EmailAddress } from './domain/email-address.js';
import type { JudgingRules } from './domain/judge.js';
import { MailboxProber } from './domain/mailbox-prober.js';
import { MxResolver } from './domain/mx-resolver.js';
import type { Priority, Requester } from './domain/requester.js';
import { ofNow, verify, type VerificationResult } from './domain/verify.js';
import { mapConcurrently } from './domain/map-concurrently.js';

/** What the engine is told by whoever wires it. */
export abstract class EngineSettings {
  /** Whether mail servers are asked at all. */
  abstract readonly smtpEnabled: boolean;

  /** Hears of a fault of ours, which the caller sees as `internal_error`. */
  abstract onFault(error: unknown): void;
}

/** The answer must still travel when the time is up. */
const MARGIN_MS = 150;

/** Nobody waits for one of many addresses, and many of them may wait for one server's turn. */
export const ONE_OF_MANY_TIMEOUT_MS = 180_000;

/** How a list of addresses is checked. */
export interface ManyOptions {
  /** For one address, from when its turn comes. */
  timeoutMs: number;
  rules: JudgingRules;
  /** Addresses under way at once; more than the mail servers take in wait for their sessions. */
  concurrency: number;
}

/** The check without anybody's account: what the API, the worker and the command line share. */
@Injectable()
export class EngineService implements OnApplicationShutdown {
  constructor(
    private readonly resolver: MxResolver,
    private readonly prober: MailboxProber,
    readonly lists: DomainLists,
    private readonly catchAll: CatchAllCache,
    private readonly breakers: Breakers,
    private readonly settings: EngineSettings,
    private readonly lifecycle: Lifecycle,
    private readonly clock: Clock,
  ) {}

  private readonly nowMs = () => this.clock.monotonicMs();

  /** The check of a text that nobody's account is behind. */
  async check(
    text: string,
    timeoutMs: number,
    rules: JudgingRules,
    priority: Priority = 'single',
  ): Promise<Verdict> {
    const start = this.clock.monotonicMs();
    const parsed = parseEmailAddress(text);
    const finding = parsed.ok
      ? await this.examine(parsed.address, null, timeoutMs, { owner: '', priority })
      : ofNow({ kind: 'syntax', fault: parsed.fault });
    return answer(text, finding, rules, this.clock.now(), this.clock.monotonicMs() - start);
  }

  /** The checks of many texts, in the order in which they are done; read as fast as the verdicts are taken. */
  checkAll(
    texts: AsyncIterable<string> | Iterable<string>,
    { timeoutMs, rules, concurrency }: ManyOptions,
  ): AsyncIterable<Verdict> {
    return mapConcurrently(texts, concurrency, (text) => this.check(text, timeoutMs, rules, 'list'));
  }

  /**
   * Finds out about an address within the time given, or sooner when the process
   * ends. A network that fails is a finding, and so is a fault of ours; this never rejects.
   *
   * @param override of the address's domain: a disposable one's mail servers are not asked.
   * @param requester whose question it is: name and mail servers are shared fairly between owners.
   */
  async examine(
    address: EmailAddress,
    override: DisposableOverride | null,
    timeoutMs: number,
    { owner, priority }: Requester,
  ): Promise<VerificationResult> {
    const budget = timeoutMs - MARGIN_MS;
    const deadline = new AbortController();
    const abort = () => deadline.abort();
    const timer = setTimeout(abort, budget);
    const done = this.lifecycle.onDeadline(abort);
    try {
      const { resolver, prober, lists, catchAll, breakers, nowMs } = this;
      const { smtpEnabled } = this.settings;
      const ways = { resolver, prober, lists, catchAll, breakers, nowMs };
      const circumstances = { ...ways, override, smtpEnabled, owner, priority };
      return await verify(address, circumstances, nowMs() + budget, deadline.signal);
    } catch (error) {
      this.settings.onFault(error);
      return ofNow({ kind: 'fault', address, listing: classify(address, this.lists, override) });
    } finally {
      clearTimeout(timer);
      done();
    }
  }
  async onApplicationShutdown(): Promise<void> {
    await this.prober.close();
  }
}
