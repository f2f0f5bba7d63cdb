import { Injectable } from '@nestjs/common';
import type { Principal } from '../../kernel/principal.js';
import type { Verdict } from '../../kernel/verdict.js';
import { TiersService } from '../tiers/tiers.service.js';
import { UsageService } from '../usage/usage.service.js';
import { DeferralsService } from './deferrals.service.js';
import type { SmtpTranscript } from '../../engine/smtp/smtp-transcript.js';
import { toAnswered, VerificationService } from './verification.service.js';

/** Options of a call with several addresses. */
export interface TogetherOptions {
  refresh: boolean;
  /** For all of them together. */
  timeoutMs: number;
  /** Records the SMTP dialogue of a call with one address. */
  transcript?: SmtpTranscript | undefined;
}

/** Verifies several addresses in one call. */
@Injectable()
export class VerifyTogetherService {
  constructor(
    private readonly verification: VerificationService,
    private readonly deferrals: DeferralsService,
    private readonly usage: UsageService,
    private readonly tiers: TiersService,
  ) {}

  /**
   * Verifies and charges each address like a single one, in the given order. All are charged, or none is.
   *
   * @throws UpgradeRequired when the tier does not include `refresh`.
   * @throws DailyQuotaExceeded, RateLimited
   */
  async verify(caller: Principal, emails: readonly string[], options: TogetherOptions): Promise<Verdict[]> {
    if (options.refresh && caller.mode === 'live') this.tiers.require(caller.tier, 'refresh');
    const probes = this.verification.probesOf(caller);
    const checks = emails.map((email) => this.verification.check(caller, { email, ...options, probes }));
    const verdicts = await Promise.all(checks);
    await this.usage.charge(caller, verdicts.map(toAnswered));
    return Promise.all(verdicts.map((verdict) => this.defer(caller, verdict)));
  }

  /** The address has been charged, so a recheck that cannot be stored must not fail the call. */
  private async defer(caller: Principal, verdict: Verdict): Promise<Verdict> {
    this.verification.count(caller, verdict);
    return { ...verdict, retryAfter: await this.deferrals.defer(caller, verdict).catch(() => null) };
  }
}
