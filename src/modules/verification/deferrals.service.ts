import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import type { Verdict } from '../../kernel/verdict.js';
import { parseEmailAddress } from '../../engine/address/email-address.js';
import { DEFERRED_REASONS } from '../../engine/judge.js';
import { nextRecheck } from './domain/recheck.js';
import { RecheckRepository } from './domain/recheck.repository.js';

/** Schedules the rechecks of single calls. */
@Injectable()
export class DeferralsService {
  constructor(
    private readonly rechecks: RecheckRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a recheck if the reason of the verdict can pass. Test keys have no rechecks.
   *
   * @returns the seconds until the recheck; without one, `retryAfter` of the verdict.
   */
  async defer(caller: Principal, verdict: Verdict): Promise<number | null> {
    if (caller.mode !== 'live' || !DEFERRED_REASONS.has(verdict.reason)) return verdict.retryAfter;
    const { teamId, keyId } = caller;
    // Visitors of a page use a publishable key: the result is charged to the key, as the call was.
    const publishable = caller.publishable !== null;
    const userId = publishable ? null : caller.userId;
    const parsed = parseEmailAddress(verdict.email);
    const firstRequestedAt = this.clock.now();
    const due = nextRecheck({ firstRequestedAt, attempts: 0 });
    if (!parsed.ok || due === null) return null;
    const { email, reason } = verdict;
    const payer = { teamId, keyId, userId, publishable };
    const check = { id: newId('chk'), email, verdict, reason, ...payer, firstRequestedAt };
    const dueAt = await this.rechecks.add(check, parsed.address.key, due);
    return Math.max(1, Math.ceil((dueAt.getTime() - firstRequestedAt.getTime()) / 1000));
  }
}
