import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DisposableCandidatesService } from '../disposable/disposable-candidates.service.js';
import type { FactsRecord } from './domain/address-facts.repository.js';
import type { DisposableOverride } from '../../engine/lists/disposable-domains.js';
import { disposableMailHost } from '../../engine/disposable-mail-host.js';
import type { EmailAddress } from '../../engine/address/email-address.js';
import { factsToStore } from './domain/fact-retention.js';
import type { Priority } from '../../engine/limits/requester.js';
import type { SmtpTranscript } from '../../engine/smtp/smtp-transcript.js';
import type { VerificationResult } from '../../engine/verify.js';
import { EngineService } from '../../engine/engine.js';
import type { Caller } from './local-results.service.js';

/** A result from the network and the facts that the caller must store; null: none. */
export interface NetworkResult {
  result: VerificationResult;
  record: FactsRecord | null;
}

/** Verifies addresses through DNS and SMTP for a team. */
@Injectable()
export class NetworkResultsService {
  constructor(
    private readonly engine: EngineService,
    private readonly candidates: DisposableCandidatesService,
    private readonly clock: Clock,
  ) {}

  /** Network failures are results. */
  async query(
    { teamId, rules }: Caller,
    address: EmailAddress,
    override: DisposableOverride | null,
    timeoutMs: number,
    priority: Priority,
    transcript?: SmtpTranscript,
  ): Promise<NetworkResult> {
    const requester = { owner: teamId, priority, transcript };
    const result = await this.engine.verify(address, override, timeoutMs, requester);
    this.recordCandidate(address, override, result);
    const observedAt = this.clock.now();
    const toStore = factsToStore(result.evidence, observedAt, rules);
    return { result, record: toStore && { key: address.key, observedAt, ...toStore } };
  }

  /** Records a domain on mail servers of a disposable service as a candidate; not awaited. */
  private recordCandidate(
    { domain }: EmailAddress,
    override: DisposableOverride | null,
    { evidence }: VerificationResult,
  ): void {
    if (override !== null) return;
    const host = disposableMailHost(evidence, this.engine.lists);
    if (host !== null) this.candidates.record({ domain, mxHost: host });
  }
}
