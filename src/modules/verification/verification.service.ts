import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { Principal } from '../../kernel/language.js';
import type { Verdict } from '../../kernel/verdict.js';
import { TiersService } from '../tiers/tiers.service.js';
import { AddressFactsRepository } from './domain/address-facts.repository.js';
import { classify } from './domain/address-lists.js';
import { answer } from './domain/answer.js';
import { parseEmailAddress, type EmailAddress } from './domain/email-address.js';
import type { JudgingRules } from './domain/judge.js';
import { toKeep } from './domain/keeping.js';
import { evidenceFor, outcomeFor, rulesFor, SLOW_MS, type SandboxRefusal } from './domain/sandbox.js';
import { ofNow, type Finding } from './domain/verify.js';
import { EngineService } from './engine.service.js';
import { DailyQuotaExceeded, RateLimited } from './verification.errors.js';

export interface VerifyRequest {
  email: string;
  /** Ask the network even where the answer is known. */
  refresh: boolean;
  timeoutMs: number;
}

/** `refresh` renews an address at most this often. */
const REFRESH_AFTER_SECONDS = 60;
const DAY_SECONDS = 86_400;

@Injectable()
export class VerificationService {
  constructor(
    private readonly engine: EngineService,
    private readonly facts: AddressFactsRepository,
    private readonly tiers: TiersService,
    private readonly clock: Clock,
  ) {}

  /** Will mail to this address arrive? Whatever goes wrong on the way there is part of the answer. */
  async verify(caller: Principal, request: VerifyRequest): Promise<Verdict> {
    const start = this.clock.monotonicMs();
    const { finding, rules } = await this.find(caller, request);
    return answer(request.email, finding, rules, this.clock.now(), this.clock.monotonicMs() - start);
  }

  /** @returns how many facts were erased. */
  eraseExpired(): Promise<number> {
    return this.facts.eraseExpired(this.clock.now());
  }

  private async find(
    caller: Principal,
    request: VerifyRequest,
  ): Promise<{ finding: Finding; rules: JudgingRules }> {
    const { rules } = caller;
    const parsed = parseEmailAddress(request.email);
    if (!parsed.ok) return { finding: ofNow({ kind: 'syntax', fault: parsed.fault }), rules };
    const { address } = parsed;
    if (caller.mode === 'test') return this.rehearse(caller, address);
    const known = await this.recall(caller, address, request.refresh);
    return { finding: known ?? (await this.ask(caller, address, request)), rules };
  }

  /** What an earlier check of this team learned; null when there is nothing, or it is to be renewed. */
  private async recall(caller: Principal, address: EmailAddress, refresh: boolean): Promise<Finding | null> {
    const now = this.clock.now();
    const kept = await this.facts.get(caller.teamId, address.key, now);
    if (kept === null) return null;
    const ageSeconds = Math.max(0, Math.floor((now.getTime() - kept.observedAt.getTime()) / 1000));
    if (refresh && ageSeconds >= REFRESH_AFTER_SECONDS) return null;
    // The team may have shortened its retention since these were kept.
    if (ageSeconds >= caller.rules.retentionDays * DAY_SECONDS) return null;
    const listing = classify(address, this.engine.lists);
    return { evidence: { kind: 'asked', address, listing, facts: kept.facts }, cached: true, ageSeconds };
  }

  private async ask(caller: Principal, address: EmailAddress, request: VerifyRequest): Promise<Finding> {
    const finding = await this.engine.examine(address, request.timeoutMs);
    const now = this.clock.now();
    const keep = toKeep(finding.evidence, now, caller.rules);
    if (keep !== null) {
      await this.facts.keep(
        caller.teamId,
        address.key,
        { facts: keep.facts, observedAt: now },
        keep.expiresAt,
      );
    }
    return finding;
  }

  /** What a test key gets: no network, no cache, no cost. */
  private async rehearse(
    caller: Principal,
    address: EmailAddress,
  ): Promise<{ finding: Finding; rules: JudgingRules }> {
    const outcome = outcomeFor(address);
    if (outcome.kind === 'refusal') return this.refuse(caller, outcome.refusal);
    if (outcome.kind === 'slow') await this.clock.pause(SLOW_MS);
    const reason = outcome.kind === 'reason' ? outcome.reason : 'accepted_email';
    return {
      finding: ofNow(evidenceFor(reason, address, this.engine.lists)),
      rules: rulesFor(reason, caller.rules),
    };
  }

  private refuse(caller: Principal, refusal: SandboxRefusal): never {
    if (refusal === 'rate_limited') throw new RateLimited(1);
    if (refusal === 'quota_exceeded') throw new DailyQuotaExceeded(60);
    return this.tiers.refuse(caller.tier, 'verify');
  }
}
