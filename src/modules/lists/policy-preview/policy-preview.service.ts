import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { FairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import { RateLimited } from '../../../kernel/errors.js';
import type { TeamId } from '../../../kernel/principal.js';
import type { Verdict } from '../../../kernel/verdict.js';
import { StoredVerdictsService } from '../bulk/results/stored-verdicts.service.js';
import { CompiledPolicy, PolicyService, type Rule } from '../../verification/policy/policy.service.js';
import { RechecksService } from '../../verification/verification/rechecks/rechecks.service.js';
import { Preview } from './domain/preview.js';
import { DAY_MS } from '../../../kernel/durations.js';

/** Of one preview: reading and deciding takes a second of processor time. */
const MAX_VERDICTS = 100_000;
const MAX_MS = 8_000;
/** Of single checks: they are encrypted one by one. */
const MAX_SINGLE = 1_000;
/** In this process. */
const PREVIEWS = { total: 2, perKey: 1 };
/** Running and waiting previews of a team, in this process. */
const MAX_PREVIEWS = 3;
const RETRY_SECONDS = 2;
const BUSY = `This team has ${MAX_PREVIEWS} previews of its policy under way, as many as it may at the same time.`;

/** jobId: null: those of single checks. */
interface Read {
  jobId: string | null;
  verdicts: readonly Verdict[];
}

@Injectable()
export class PolicyPreviewService {
  private readonly previews = new FairSemaphore(PREVIEWS);

  constructor(
    private readonly policies: PolicyService,
    private readonly stored: StoredVerdictsService,
    private readonly rechecks: RechecksService,
    private readonly clock: Clock,
  ) {}

  /**
   * Decides about stored verdicts with the rules of now and with these, until there are no more, or they are enough.
   *
   * @throws RateLimited
   */
  preview(teamId: TeamId, rules: readonly Rule[], days: number): Promise<Preview> {
    if (this.previews.countOf(teamId) >= MAX_PREVIEWS) throw new RateLimited(RETRY_SECONDS, BUSY);
    return this.previews.run(teamId, () => this.count(teamId, rules, days));
  }

  private async count(teamId: TeamId, rules: readonly Rule[], days: number): Promise<Preview> {
    const { compiled: current } = await this.policies.get(teamId);
    const planned = new CompiledPolicy(rules);
    const preview = new Preview();
    const startMs = this.clock.monotonicMs();
    const nowMs = this.clock.now().getTime();
    for await (const read of this.verdictsSince(teamId, new Date(nowMs - days * DAY_MS))) {
      const isOver = this.clock.monotonicMs() - startMs >= MAX_MS;
      if (read === null || isOver || preview.verdicts + read.verdicts.length > MAX_VERDICTS) {
        preview.isComplete = false;
        break;
      }
      for (const verdict of read.verdicts)
        preview.count(verdict, {
          jobId: read.jobId,
          before: current.decide(verdict, nowMs),
          after: planned.decide(verdict, nowMs),
        });
    }
    return preview;
  }

  /**
   * Those of single checks that were deferred, then those of lists. Other single checks store facts only. null: there are
   * more, which are not read.
   */
  private async *verdictsSince(teamId: TeamId, since: Date): AsyncGenerator<Read | null, void> {
    const stored = await this.rechecks.listVerdicts(teamId, MAX_SINGLE + 1);
    const single = stored.filter(({ verifiedAt }) => verifiedAt >= since);
    yield { jobId: null, verdicts: single.slice(0, MAX_SINGLE) };
    yield* this.stored.since(teamId, since);
    if (single.length > MAX_SINGLE) yield null;
  }
}
