import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../kernel/clock.js';
import { Events } from '../../kernel/events.js';
import type { Principal } from '../../kernel/language.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { STATUS_OF, type Verdict } from '../../kernel/verdict.js';
import { TeamsService } from '../teams/teams.service.js';
import { DailyQuotaExceeded, UsageService, type Charge } from '../usage/usage.service.js';
import { isFree } from './domain/cost.js';
import { nextAsking, PUT_OFF, type PutOffCheck } from './domain/put-off-check.js';
import { PutOffChecksRepository } from './domain/put-off-checks.repository.js';
import { score } from './domain/score.js';
import { verificationCompleted } from './domain/verification.events.js';
import { VerificationService } from './verification.service.js';

const AT_ONCE = 20;
/** Longer than a check may take: whoever has not answered by then has died. */
const LEASE_MS = 120_000;
const DAY_MS = 86_400_000;

/** Asks again, in the background, what a server has put off, and tells when it is known. */
@Injectable()
export class AskingAgainService {
  constructor(
    private readonly checks: PutOffChecksRepository,
    private readonly verification: VerificationService,
    private readonly teams: TeamsService,
    private readonly usage: UsageService,
    private readonly events: Events,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Asks all that is due. @returns how many that was. */
  async askDue(): Promise<number> {
    let asked = 0;
    for (let taken = AT_ONCE; taken === AT_ONCE; asked += taken) {
      const lease = randomUUID();
      const now = this.clock.now();
      const checks = await this.checks.claim(now, new Date(now.getTime() + LEASE_MS), AT_ONCE, lease);
      const ends = await Promise.allSettled(checks.map((check) => this.ask(check, lease)));
      // What failed comes round again when its lease has ended.
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      taken = checks.length;
    }
    return asked;
  }

  /** The verdict that a `verification.completed` tells of; null when it was erased. */
  verdict(checkId: string): Promise<Verdict | null> {
    return this.checks.verdict(checkId);
  }

  /** @returns how many verdicts were erased. */
  eraseDue(): Promise<number> {
    return this.checks.eraseDue(this.clock.now());
  }

  private async ask(check: PutOffCheck, lease: string): Promise<void> {
    // The team's own rules and tier of now; a key or a member may have gone, the question stands.
    const standing = await this.teams.standing(check.teamId, null);
    if (standing === null) return;
    const asker: Principal = { ...check, ...standing, mode: 'live', expiresAt: null };
    const verdict = await this.verification.checkInBackground(asker, check.email);
    const due = nextAsking({ ...check, askedAgain: check.askedAgain + 1 });
    if (PUT_OFF.has(verdict.reason) && due !== null) {
      await this.checks.postpone(check.id, lease, due);
      return;
    }
    await this.complete(check, lease, asker, { ...verdict, retryAfter: null });
  }

  /** Charged on the day on which it is known; where nothing is left, it stays unknown. */
  private async complete(
    check: PutOffCheck,
    lease: string,
    asker: Principal,
    verdict: Verdict,
  ): Promise<void> {
    const charge = await this.charge(asker);
    const told = charge === null && !isFree(verdict) ? withheld(check, verdict) : verdict;
    try {
      const isOurs = await this.work.run(() => this.tell(check, lease, asker, told));
      const answered = { kind: 'single', status: told.status, free: isFree(told) } as const;
      if (charge !== null) await this.usage.settle(charge, isOurs ? [answered] : []);
    } catch (error) {
      if (charge !== null) await this.usage.release(charge);
      throw error;
    }
  }

  private async tell(check: PutOffCheck, lease: string, asker: Principal, told: Verdict): Promise<boolean> {
    const now = this.clock.now();
    const eraseAt = new Date(now.getTime() + asker.rules.retentionDays * DAY_MS);
    const isOurs = await this.checks.finish(check.id, lease, told, now, eraseAt);
    if (isOurs) await this.events.publish(verificationCompleted(check, told.status));
    return isOurs;
  }

  private async charge(asker: Principal): Promise<Charge | null> {
    return this.usage.reserve(asker, 1).catch((error: unknown) => {
      if (error instanceof DailyQuotaExceeded) return null;
      throw error;
    });
  }
}

/** What was not paid for is not told: it is as unknown as before. */
function withheld({ reason }: PutOffCheck, verdict: Verdict): Verdict {
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
