import { Injectable } from '@nestjs/common';
import { score } from '../../../engine/score.js';
import type { Charge } from '../../../kernel/charge.js';
import { Clock } from '../../../kernel/clock.js';
import { Events } from '../../../kernel/events.js';
import type { KeyId } from '../../../kernel/principal.js';
import { GOES_ON, type Release, type TeamWork, type TeamWorker } from '../../../kernel/queue/team-work.js';
import { MIN_RESULT_DAYS } from '../../../kernel/retention.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { STATUS_OF, type Verdict } from '../../../kernel/verdict.js';
import { BulkRecordingService } from '../bulk/work/bulk-recording.service.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import { DailyQuotaExceeded, isFree, UsageService, type Payer } from '../../identity/usage/usage.service.js';
import {
  RechecksService,
  type ClaimedRecheck,
  type Recheck,
} from '../../verification/verification/rechecks/rechecks.service.js';
import {
  VerificationService,
  type Caller,
} from '../../verification/verification/single/verification.service.js';
import { DAY_MS } from '../../../kernel/durations.js';

/**
 * Claims without a verdict after which a recheck is completed with its latest verdict; a single check
 * that fails even then is deleted.
 */
const MAX_CLAIMS = { toProbe: 5, toComplete: 10 };
/** Delay after a failure, multiplied by the number of claims. */
const PAUSE_SECONDS = 30;

/** Rechecks deferred addresses in the background: single checks, and rows of lists. */
@Injectable()
export class RecheckRunService implements TeamWorker<ClaimedRecheck> {
  readonly units: TeamWork<ClaimedRecheck>;

  constructor(
    private readonly rechecks: RechecksService,
    private readonly recording: BulkRecordingService,
    private readonly verification: VerificationService,
    private readonly teams: TeamsService,
    private readonly usage: UsageService,
    private readonly events: Events,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.units = rechecks.due;
  }

  pauseAfter({ claims }: ClaimedRecheck): number {
    return PAUSE_SECONDS * claims;
  }

  /** @throws when it failed and is retried, or ended because the address is unreadable. */
  async run(claimed: ClaimedRecheck, signal: AbortSignal): Promise<Release | null> {
    const { listId, teamId, email } = claimed;
    // The current rules and tier; the key or the member may have been deleted.
    const access = await this.teams.access(teamId, null);
    if (access === null) return this.remove(claimed);
    // Deletes all of the list, so that its other rows are not claimed one by one.
    if (listId !== null && !(await this.recording.isOpen(listId)))
      return this.rechecks.deleteByList(listId).then(() => null);
    if (email === null) {
      // A row still has its address in its list.
      await (listId === null ? this.remove(claimed) : this.recording.recordUnchecked(listId, claimed));
      throw new Error('the address cannot be decrypted');
    }
    const caller = { ...access, teamId, mode: 'live' as const };
    if (claimed.claims > MAX_CLAIMS.toProbe) return this.giveUp(claimed, caller, email);
    const checked = await this.verification.recheck(caller, email);
    const { verdict } = checked;
    // Aborted by the shutdown of the process: not a verdict.
    if (signal.aborted && verdict.status === 'unknown') return GOES_ON;
    if (await this.rechecks.postpone(claimed, verdict)) return null;
    if (listId === null) await this.complete(claimed, caller, verdict);
    else await this.recording.recordRecheck(listId, claimed, { ...checked, verdict: final(verdict) });
    return null;
  }

  private async giveUp(claimed: ClaimedRecheck, caller: Caller, email: string): Promise<null> {
    if (claimed.listId !== null) await this.recording.recordUnchecked(claimed.listId, claimed);
    else if (claimed.claims > MAX_CLAIMS.toComplete) await this.remove(claimed);
    else {
      const verdict = claimed.verdict ?? this.verification.internalErrorVerdict(caller, email);
      await this.complete(claimed, caller, verdict);
    }
    return null;
  }

  private async remove(claimed: ClaimedRecheck): Promise<null> {
    await this.rechecks.deleteClaimed([claimed]);
    return null;
  }

  /** Charged on the day of the final verdict; when the quota is used up, the verdict stays unknown. */
  private complete(claimed: ClaimedRecheck, caller: Caller, known: Verdict): Promise<void> {
    const { id, teamId, userId } = claimed;
    const publishable = claimed.publishable ? {} : null;
    const payer: Payer = { ...caller, userId, keyId: claimed.keyId as KeyId, publishable };
    const keptDays = Math.max(MIN_RESULT_DAYS, caller.rules.retentionDays);
    const eraseAt = new Date(this.clock.now().getTime() + keptDays * DAY_MS);
    return this.work.run(async () => {
      const charge = await this.charge(payer);
      const verdict = final(charge === null && !isFree(known) ? withheld(claimed, known) : known);
      const { status } = verdict;
      const isRecorded = await this.rechecks.complete(claimed, verdict, eraseAt);
      const data = { check_id: id, status };
      if (isRecorded) await this.events.publish({ type: 'verification.completed', teamId, data });
      const counted = { kind: 'single', status, free: isFree(verdict) } as const;
      if (charge !== null) await this.usage.chargeReserved(charge, isRecorded ? [counted] : []);
    });
  }

  private async charge(payer: Payer): Promise<Charge | null> {
    return this.usage.reserve(payer, 1).catch((error: unknown) => {
      if (error instanceof DailyQuotaExceeded) return null;
      throw error;
    });
  }
}

/** A verdict without a further recheck. */
function final(verdict: Verdict): Verdict {
  return { ...verdict, retryAfter: null };
}

/** A verdict that could not be charged is not disclosed. */
function withheld({ reason }: Recheck, verdict: Verdict): Verdict {
  const checks = { ...verdict.checks, catchAll: null, mailboxFull: null, disabled: null, smtputf8: null };
  return {
    ...verdict,
    status: STATUS_OF[reason],
    reason,
    score: score(reason, checks),
    checks,
    smtp: null,
    estimate: null,
    policy: { decision: 'review', rule: null },
  };
}
