import type { Clock } from '../../../kernel/clock.js';
import { isVoteAgainst, probesLeftFor, warmupOn, type WarmupDay, type WarmupPlan } from '../warmup.js';
import { WarmupStore, type WarmupGrant, type WarmupKey } from '../warmup-store.js';

const DAY_MS = 86_400_000;

interface Counters extends WarmupDay {
  rejected: number;
}

/** Counters in memory, for the command line, which has no database and a single user. */
export class MemoryWarmupStore extends WarmupStore {
  private readonly counters = new Map<string, Counters>();

  constructor(
    private readonly plan: WarmupPlan,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async acquire(key: WarmupKey, probes: number): Promise<WarmupGrant> {
    const now = this.clock.now().getTime();
    const counters = this.today(key, new Date(now).toISOString().slice(0, 10));
    // There are no other teams, so nothing is reserved for them.
    const granted = Math.min(probes, probesLeftFor(counters, counters.used, 0));
    counters.used += granted;
    return { day: { ...counters }, granted, dayEndsInMs: DAY_MS - (now % DAY_MS) };
  }

  override async returnProbe(key: WarmupKey): Promise<void> {
    const counters = this.counters.get(nameOf(key));
    if (counters !== undefined && counters.used > 0) counters.used -= 1;
  }

  override async countRejection(key: WarmupKey): Promise<void> {
    const counters = this.counters.get(nameOf(key));
    if (counters !== undefined) counters.rejected += 1;
  }

  override async deleteUnused(): Promise<number> {
    return 0;
  }

  override async deleteByTeam(): Promise<number> {
    return 0;
  }

  private today(key: WarmupKey, today: string): Counters {
    const last = this.counters.get(nameOf(key)) ?? null;
    if (last?.day === today) return last;
    const vote = last === null ? null : isVoteAgainst(last.used, last.rejected, this.plan);
    const votes = { teams: vote === null ? 0 : 1, rejected: vote ? 1 : 0 };
    const start = this.plan.starts.get(key.provider) ?? 0;
    const counters = { ...warmupOn(today, last, votes, start, this.plan), rejected: 0 };
    this.counters.set(nameOf(key), counters);
    return counters;
  }
}

function nameOf({ egress, provider }: WarmupKey): string {
  return `${egress} ${provider}`;
}
