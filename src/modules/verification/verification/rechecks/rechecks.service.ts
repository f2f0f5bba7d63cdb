import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '../../../../engine/address/email-address.js';
import { DEFERRED_REASONS } from '../../../../engine/judge.js';
import { Clock } from '../../../../kernel/clock.js';
import type { ListId } from '../../../../kernel/ids.js';
import type { Principal, TeamId } from '../../../../kernel/principal.js';
import type { TeamWork } from '../../../../kernel/queue/team-work.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import { PolicyService } from '../../policy/policy.service.js';
import { nextRecheck, type ClaimedRecheck, type DeferredRow, type Recheck } from '../domain/recheck.js';
import { RecheckRepository } from '../domain/recheck.repository.js';

export { FIRST_RECHECK_SECONDS } from '../domain/recheck.js';
export type { ClaimedRecheck, Recheck } from '../domain/recheck.js';
export { RecheckQueue, RECHECKS_QUEUE } from '../domain/recheck-queue.js';

/** The stored rechecks. The module `rechecks` carries them out. */
@Injectable()
export class RechecksService {
  constructor(
    private readonly rechecks: RecheckRepository,
    private readonly policy: PolicyService,
    private readonly clock: Clock,
  ) {}

  /** Those that are due, as the work of a worker. */
  get due(): TeamWork<ClaimedRecheck> {
    return this.rechecks;
  }

  /**
   * Stores a recheck of a single call if the reason of the verdict can pass. Test keys have no rechecks.
   *
   * @returns the seconds until the recheck; without one, `retryAfter` of the verdict.
   */
  async defer(caller: Principal, verdict: Verdict): Promise<number | null> {
    if (caller.mode !== 'live' || !this.isDeferred(verdict)) return verdict.retryAfter;
    const { teamId, keyId } = caller;
    // Visitors of a page use a publishable key: the result is charged to the key, as the call was.
    const publishable = caller.publishable !== null;
    const userId = publishable ? null : caller.userId;
    const parsed = parseEmailAddress(verdict.email);
    const firstRequestedAt = this.clock.now();
    const due = nextRecheck(firstRequestedAt, 0);
    if (!parsed.ok || due === null) return null;
    const payer = { teamId, keyId, userId, publishable };
    const { key } = parsed.address;
    const dueAt = await this.rechecks.add({ ...payer, key, verdict, firstRequestedAt, dueAt: due });
    return Math.max(1, Math.ceil((dueAt.getTime() - firstRequestedAt.getTime()) / 1000));
  }

  /** Whether a recheck may change the verdict. */
  isDeferred({ reason }: Verdict): boolean {
    return DEFERRED_REASONS.has(reason);
  }

  /** Adds deferred rows of a list, within the open unit of work. */
  async deferRows(list: { teamId: TeamId; listId: ListId }, rows: readonly DeferredRow[]): Promise<void> {
    const now = this.clock.now();
    const dueAt = nextRecheck(now, 0);
    if (dueAt !== null && rows.length > 0) await this.rechecks.addRows(list, rows, now, dueAt);
  }

  /** Those of these keys, in hexadecimal, that are deferred rows of the list. */
  listDeferredKeys(listId: ListId, addressKeys: readonly Buffer[]): Promise<ReadonlySet<string>> {
    return this.rechecks.listDeferredKeys(listId, addressKeys);
  }

  /** How many rows of these lists are deferred, and when the next one is due. */
  countDeferred(
    listIds: readonly ListId[],
  ): Promise<ReadonlyMap<string, { rows: number; nextAttemptAt: Date | null }>> {
    return listIds.length === 0 ? Promise.resolve(new Map()) : this.rechecks.countDeferred(listIds);
  }

  /**
   * Stores the verdict and when the next recheck is due, unless the lease was lost.
   *
   * @returns false if there is no further one: the verdict is final.
   */
  async postpone(claimed: ClaimedRecheck, verdict: Verdict): Promise<boolean> {
    const { firstRequestedAt, attempts } = claimed;
    const dueAt = this.isDeferred(verdict) ? nextRecheck(firstRequestedAt, attempts + 1) : null;
    if (dueAt !== null) await this.rechecks.postpone(claimed, verdict, dueAt);
    return dueAt !== null;
  }

  /** Stores the final verdict of a single check. @returns false when the lease was lost. */
  complete(claimed: ClaimedRecheck, verdict: Verdict, eraseAt: Date): Promise<boolean> {
    return this.rechecks.complete(claimed, verdict, eraseAt);
  }

  /** Deletes those whose lease is still held, within the open unit of work. @returns their ids. */
  deleteClaimed(claimed: readonly ClaimedRecheck[]): Promise<Set<string>> {
    return this.rechecks.deleteClaimed(claimed);
  }

  /** Deletes some of a list, due or not, within the open unit of work. */
  deleteSome(listId: ListId, limit: number): Promise<Recheck[]> {
    return this.rechecks.deleteSome(listId, limit);
  }

  /** Deletes all of a list that has ended. */
  deleteByList(listId: ListId): Promise<void> {
    return this.rechecks.deleteByList(listId);
  }

  /** The latest stored verdicts of single checks of a team, with the decision without its rules. */
  listVerdicts(team: TeamId, limit: number): Promise<Verdict[]> {
    return this.rechecks.listVerdicts(team, limit);
  }

  /** The verdict of a `verification.completed` event, with the decision of its team; null when it was erased. */
  async findVerdict(checkId: string): Promise<Verdict | null> {
    const found = await this.rechecks.findVerdict(checkId);
    return found && (await this.policy.decider(found.teamId))(found.verdict);
  }
}
