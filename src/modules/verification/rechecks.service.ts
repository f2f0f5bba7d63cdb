import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import type { KeyId, Principal, TeamId } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { STATUS_OF, type Verdict } from '../../kernel/verdict.js';
import { TeamsService } from '../teams/teams.service.js';
import { DailyQuotaExceeded, UsageService, type Charge } from '../usage/usage.service.js';
import { isFree } from './domain/cost.js';
import {
  DEFERRED_REASONS,
  nextRecheck,
  type ClaimedRecheck,
  type DeferredRow,
  type Recheck,
} from './domain/recheck.js';
import { RecheckRepository } from './domain/recheck.repository.js';
import { score } from './domain/score.js';
import { verificationCompleted } from './domain/verification.events.js';
import { VerificationService, type CheckedAddress } from './verification.service.js';

/** Provided by the module. */
export abstract class RecheckSettings {
  /** Is told of a recheck that failed and is tried again, or that is deleted because it cannot be read. */
  abstract onFailure(recheckId: string, error: unknown): void;
}

/** The rows of lists that are rechecked. */
export interface ListRows {
  /** false: the job has ended or is gone, and needs no answer. */
  isOpen(list: string): Promise<boolean>;
  /** Records the final answer of a row, unless its lease has passed to somebody else. */
  record(claimed: ClaimedRecheck, checked: CheckedAddress): Promise<void>;
  /** Records what is known of a row that cannot be checked. */
  giveUp(claimed: ClaimedRecheck): Promise<void>;
}

/** Claims without an answer after which a recheck is completed with what is known; a single check that even that fails for is deleted. */
const MOST_CLAIMS = { toAsk: 5, toComplete: 10 };
/** After a failure, times the number of claims. */
const PAUSE_SECONDS = 30;
const DAY_MS = 86_400_000;

/** Rechecks deferred addresses in the background: those of single checks, and those of rows of lists. */
@Injectable()
export class RechecksService {
  private rows: ListRows | null = null;

  constructor(
    private readonly rechecks: RecheckRepository,
    private readonly verification: VerificationService,
    private readonly teams: TeamsService,
    private readonly usage: UsageService,
    private readonly events: Events,
    private readonly work: UnitOfWork,
    private readonly settings: RecheckSettings,
    private readonly clock: Clock,
  ) {}

  /** Before the first recheck: where the answers for rows of lists go. */
  recordRowsWith(rows: ListRows): void {
    this.rows = rows;
  }

  /** Rechecks the address that is next by fairness between teams. @returns false: none is due. */
  async recheckNext(signal: AbortSignal): Promise<boolean> {
    const claimed = await this.rechecks.claim(this.clock.now());
    if (claimed === null) return false;
    try {
      if (this.rows === null) throw new Error('nothing records the rows of lists');
      await this.recheck(claimed, this.rows, signal);
    } catch (error) {
      this.settings.onFailure(claimed.id, error);
      // If that fails too, the lease ends by itself.
      await this.rechecks.release(claimed, PAUSE_SECONDS * claimed.claims, true).catch(() => undefined);
    }
    return true;
  }

  /** Whether the answer is one that a recheck may change. */
  isDeferred({ reason }: Verdict): boolean {
    return DEFERRED_REASONS.has(reason);
  }

  /** Rows of a list that are deferred now; part of the open unit of work. */
  async deferRows(list: { teamId: TeamId; list: string }, rows: readonly DeferredRow[]): Promise<void> {
    const now = this.clock.now();
    const dueAt = nextRecheck({ firstAskedAt: now, attempts: 0 });
    if (dueAt !== null && rows.length > 0) await this.rechecks.addRows(list, rows, now, dueAt);
  }

  /** Deletes those whose lease is still ours; part of the open unit of work. @returns their ids. */
  take(claimed: readonly ClaimedRecheck[]): Promise<Set<string>> {
    return this.rechecks.take(claimed);
  }

  /** Deletes some of a list, due or not; part of the open unit of work. */
  takeOfList(list: string, limit: number): Promise<Recheck[]> {
    return this.rechecks.takeOfList(list, limit);
  }

  /** Deletes all of a list that has ended. */
  dropList(list: string): Promise<void> {
    return this.rechecks.dropList(list);
  }

  /** The verdict of a `verification.completed`; null when it was erased. */
  verdict(checkId: string): Promise<Verdict | null> {
    return this.rechecks.verdict(checkId);
  }

  /** Deletes verdicts whose time is over. @returns how many. */
  eraseDue(): Promise<number> {
    return this.rechecks.eraseDue(this.clock.now());
  }

  /** Deletes those of a team that is gone. @returns how many. */
  deleteByTeam(teamId: TeamId): Promise<number> {
    return this.rechecks.deleteByTeam(teamId);
  }

  private async recheck(claimed: ClaimedRecheck, rows: ListRows, signal: AbortSignal): Promise<void> {
    const { list, teamId, email } = claimed;
    // The rules and the tier of now; the key or the member may be gone, the question remains.
    const access = await this.teams.access(teamId, null);
    if (access === null) return this.remove(claimed);
    // All of the list, so that its other rows are not claimed one by one.
    if (list !== null && !(await rows.isOpen(list))) return this.rechecks.dropList(list);
    if (email === null) return this.endUnreadable(claimed, rows);
    const asker = { ...access, teamId, mode: 'live' as const };
    if (claimed.claims > MOST_CLAIMS.toAsk) {
      if (list !== null) return rows.giveUp(claimed);
      if (claimed.claims > MOST_CLAIMS.toComplete) return this.remove(claimed);
      const verdict = claimed.verdict ?? this.verification.giveUp(asker, email);
      return this.complete(claimed, access, verdict);
    }
    const checked = await this.verification.recheck(asker, email);
    const { verdict } = checked;
    // Cut off by the end of the process: that is no answer.
    if (signal.aborted && verdict.status === 'unknown') return this.rechecks.release(claimed, 0, false);
    const { firstAskedAt, attempts } = claimed;
    const dueAt = this.isDeferred(verdict) ? nextRecheck({ firstAskedAt, attempts: attempts + 1 }) : null;
    if (dueAt !== null) return this.rechecks.postpone(claimed, verdict, dueAt);
    if (list !== null) return rows.record(claimed, { ...checked, verdict: final(verdict) });
    return this.complete(claimed, access, verdict);
  }

  /** Nobody can say what it was about. A row still has its address in its list. */
  private async endUnreadable(claimed: ClaimedRecheck, rows: ListRows): Promise<void> {
    this.settings.onFailure(claimed.id, new Error('the address cannot be decrypted'));
    if (claimed.list !== null) await rows.giveUp(claimed);
    else await this.remove(claimed);
  }

  private async remove(claimed: ClaimedRecheck): Promise<void> {
    await this.rechecks.take([claimed]);
  }

  /** Charged on the day on which it is known; where nothing is left, it stays unknown. */
  private async complete(
    claimed: ClaimedRecheck,
    access: Pick<Principal, 'tier' | 'role' | 'rules'>,
    known: Verdict,
  ): Promise<void> {
    const { teamId, userId } = claimed;
    const keyId = claimed.keyId as KeyId;
    const asker: Principal = { ...access, teamId, keyId, userId, mode: 'live', expiresAt: null };
    await this.work.run(async () => {
      const charge = await this.charge(asker);
      const verdict = final(charge === null && !isFree(known) ? withheld(claimed, known) : known);
      const isOurs = await this.publish(claimed, asker, verdict);
      const answered = { kind: 'single', status: verdict.status, free: isFree(verdict) } as const;
      if (charge !== null) await this.usage.settle(charge, isOurs ? [answered] : []);
    });
  }

  private async publish(claimed: ClaimedRecheck, { rules }: Principal, verdict: Verdict): Promise<boolean> {
    const eraseAt = new Date(this.clock.now().getTime() + rules.retentionDays * DAY_MS);
    const isOurs = await this.rechecks.complete(claimed, verdict, eraseAt);
    if (isOurs) await this.events.publish(verificationCompleted(claimed, verdict.status));
    return isOurs;
  }

  private async charge(asker: Principal): Promise<Charge | null> {
    return this.usage.reserve(asker, 1).catch((error: unknown) => {
      if (error instanceof DailyQuotaExceeded) return null;
      throw error;
    });
  }
}

/** It is not rechecked any more. */
function final(verdict: Verdict): Verdict {
  return { ...verdict, retryAfter: null };
}

/** What was not paid for is not disclosed: it is as unknown as before. */
function withheld({ reason }: Recheck, verdict: Verdict): Verdict {
  const checks = { ...verdict.checks, catchAll: null, mailboxFull: null, disabled: null, smtputf8: null };
  return {
    ...verdict,
    status: STATUS_OF[reason],
    reason,
    score: score(reason, checks),
    checks,
    smtp: null,
    policy: { decision: 'review', rule: null },
  };
}
