import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { RateLimited } from '../../../kernel/errors.js';
import type { Principal } from '../../../kernel/principal.js';
import { DailyQuotaExceeded } from '../../usage/usage.service.js';
import { BulkJobRepository } from '../domain/bulk-job.repository.js';
import { QueueFull, TooManyHeldLists } from '../domain/bulk.errors.js';

/** Concurrent uploads of a team: refused uploads cost nothing, so their number is limited. */
const MAX_UPLOADS = 5;
/** Held lists of a team, which cost nothing either. */
const MAX_HELD = 10;
/**
 * Maximum number of waiting rows. A team's own limit is half of the total, so that it cannot block
 * others. Held rows have the same limit, apart from them.
 */
const MAX_WAITING_ROWS = { own: 5_000_000, all: 10_000_000 };
const RETRY_AFTER_SECONDS = 5;
const BUSY_UPLOADS = `This team sends ${MAX_UPLOADS} lists, as many as it may at the same time.`;
const TEST_JOB = 'With a test key one list is verified at a time; another one has not ended.';
const TEST_JOBS_A_DAY = 20;
const DAY_MS = 86_400_000;

/** How many lists and rows a team may have under way. */
@Injectable()
export class ListRoomService {
  constructor(
    private readonly jobs: BulkJobRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws RateLimited, DailyQuotaExceeded. Requires `lockCreation`. */
  async requireUpload(caller: Principal): Promise<void> {
    const { receiving } = await this.jobs.countOpen(caller);
    if (receiving >= MAX_UPLOADS) throw new RateLimited(RETRY_AFTER_SECONDS, BUSY_UPLOADS);
    if (!isLimitedTest(caller)) return;
    const nowMs = this.clock.now().getTime();
    const today = new Date(nowMs - (nowMs % DAY_MS));
    if ((await this.jobs.countSince(caller, today)) >= TEST_JOBS_A_DAY)
      throw new DailyQuotaExceeded(Math.ceil((today.getTime() + DAY_MS - nowMs) / 1000));
    await this.requireTestTurn(caller);
  }

  /** @throws RateLimited: a test key has one list under way. */
  async requireTestTurn(caller: Principal): Promise<void> {
    if (isLimitedTest(caller) && (await this.jobs.countOpen(caller)).all > 0)
      throw new RateLimited(RETRY_AFTER_SECONDS, TEST_JOB);
  }

  /** @throws TooManyHeldLists. Requires `lockCreation`. */
  async requireHold(caller: Principal): Promise<void> {
    const { lists, rows } = await this.jobs.countHeld(caller);
    if (lists >= MAX_HELD || rows >= MAX_WAITING_ROWS.own) throw new TooManyHeldLists(MAX_HELD);
  }

  /** @throws QueueFull */
  async requireShortQueue({ teamId }: Principal): Promise<void> {
    const { own, all } = await this.jobs.countWaiting(teamId);
    if (own >= MAX_WAITING_ROWS.own || all >= MAX_WAITING_ROWS.all) throw new QueueFull();
  }
}

function isLimitedTest({ mode, tier }: Principal): boolean {
  return mode === 'test' && tier !== 'unlimited';
}
