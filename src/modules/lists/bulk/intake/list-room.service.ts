import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { RateLimited } from '../../../../kernel/errors.js';
import { Pause } from '../../../../kernel/service-state/pause.js';
import type { Principal } from '../../../../kernel/principal.js';
import { Tracing } from '../../../../kernel/tracing.js';
import { UnitOfWork } from '../../../../kernel/unit-of-work.js';
import { UsersService } from '../../../identity/teams/users/users.service.js';
import { TiersService } from '../../../identity/tiers/tiers.service.js';
import { DailyQuotaExceeded } from '../../../identity/usage/usage.service.js';
import { BulkJob } from '../domain/bulk-job.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { QueueFull, TooManyHeldLists, TooManyUnverified } from '../domain/bulk.errors.js';
import { DAY_MS } from '../../../../kernel/durations.js';

/** Concurrent uploads of a team: refused uploads cost nothing, so their number is limited. */
const MAX_UPLOADS = 5;
/** Held lists of a team, which cost nothing either. */
const MAX_HELD = 10;
/**
 * Maximum number of waiting rows. A team's own limit is half of the total, so that it cannot block
 * others. Held rows have the same limit, apart from them.
 */
const MAX_WAITING_ROWS = { own: 5_000_000, all: 10_000_000 };
/** A list that is only looked at, also where the tier has no lists. */
const MIN_HELD_ROWS = 10_000;
/** Of a team in a day, without those that are verified, which cost units. `rows`: multiplied by its longest list. */
const MAX_UNVERIFIED = { lists: 1_000, rows: 20 };
const RETRY_AFTER_SECONDS = 5;
const BUSY_UPLOADS = `This team sends ${MAX_UPLOADS} lists, as many as it may at the same time.`;
const TEST_JOB = 'With a test key one list is verified at a time; another one has not ended.';
const TEST_JOBS_A_DAY = 20;
const TEST_RETENTION_DAYS = 1;

/** How many lists and rows a team may have under way. */
@Injectable()
export class ListRoomService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly tiers: TiersService,
    private readonly pause: Pause,
    private readonly users: UsersService,
    private readonly tracing: Tracing,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Of a list of this caller. */
  maxRows({ tier, mode }: Principal, isHeld: boolean): number {
    return Math.max(this.tiers.bulkLimit(tier, mode), isHeld ? MIN_HELD_ROWS : 0);
  }

  /**
   * Takes a place for an upload: the hidden job under which its rows are stored.
   *
   * @throws UpgradeRequired, RateLimited, TooManyUnverified, DailyQuotaExceeded, QueueFull, TooManyHeldLists, Paused
   */
  async open(caller: Principal, isHeld: boolean): Promise<BulkJob> {
    // A suspended team may not even look.
    if (isHeld) this.tiers.requireNotSuspended(caller.tier);
    return this.work.run(async () => {
      await this.jobs.lockCreation(caller);
      await this.requireUpload(caller);
      if (isHeld) await this.requireHold(caller);
      else await this.requireShortQueue(caller);
      const days = caller.mode === 'test' ? TEST_RETENTION_DAYS : caller.rules.retentionDays;
      const { teamId, mode, userId } = caller;
      // A key may be cached for some seconds after its user was deleted.
      const creator = userId === null ? null : await this.users.get(userId);
      const job = new BulkJob(teamId, mode, days, this.clock.now(), creator?.id ?? null);
      job.traceparent = this.tracing.traceparent();
      await this.jobs.add(job);
      return job;
    });
  }

  /** @throws RateLimited: a test key has one list under way. @param job that would be another one; null: a new one. */
  async requireTestTurn(caller: Principal, job: BulkJob | null = null): Promise<void> {
    if (!isLimitedTest(caller)) return;
    const { all } = await this.jobs.countOpen(caller);
    const others = job?.state === 'receiving' ? all - 1 : all;
    if (others > 0) throw new RateLimited(RETRY_AFTER_SECONDS, TEST_JOB);
  }

  /** @throws TooManyHeldLists. Requires `lockCreation`. */
  async requireHold(caller: Principal): Promise<void> {
    const { lists, rows } = await this.jobs.countHeld(caller, this.clock.now());
    if (lists >= MAX_HELD || rows >= MAX_WAITING_ROWS.own) throw new TooManyHeldLists(MAX_HELD);
  }

  /** @throws QueueFull, Paused */
  async requireShortQueue({ teamId }: Principal): Promise<void> {
    this.pause.requireActive();
    const { own, all } = await this.jobs.countWaiting(teamId);
    if (own >= MAX_WAITING_ROWS.own || all >= MAX_WAITING_ROWS.all) throw new QueueFull();
  }

  private async requireUpload(caller: Principal): Promise<void> {
    this.pause.requireActive();
    const { receiving } = await this.jobs.countOpen(caller);
    if (receiving >= MAX_UPLOADS) throw new RateLimited(RETRY_AFTER_SECONDS, BUSY_UPLOADS);
    const nowMs = this.clock.now().getTime();
    const today = new Date(nowMs - (nowMs % DAY_MS));
    const secondsLeft = Math.ceil((today.getTime() + DAY_MS - nowMs) / 1000);
    await this.requireFewUnverified(caller, today, secondsLeft);
    if (!isLimitedTest(caller)) return;
    if ((await this.jobs.countSince(caller, today)) >= TEST_JOBS_A_DAY)
      throw new DailyQuotaExceeded(secondsLeft);
    await this.requireTestTurn(caller);
  }

  /** The units of rows that are not verified are returned, so they do not limit what is sent and deleted in a circle. */
  private async requireFewUnverified(caller: Principal, today: Date, secondsLeft: number): Promise<void> {
    if (this.tiers.get(caller.tier).perDay === null) return;
    const max = MAX_UNVERIFIED.rows * this.maxRows(caller, true);
    const { lists, rows } = await this.jobs.countUnverified(caller, today);
    if (lists >= MAX_UNVERIFIED.lists || rows >= max) throw new TooManyUnverified(max, secondsLeft);
  }
}

function isLimitedTest({ mode, tier }: Principal): boolean {
  return mode === 'test' && tier !== 'unlimited';
}
