import type { Clock } from '../../../kernel/clock.js';
import { takeBlock, type BlockRequest, type WarmupDay, type WarmupPlan } from '../domain/warmup.js';
import { WarmupStore, type WarmupBlock, type WarmupKey } from '../domain/warmup-store.js';

const DAY_MS = 86_400_000;

/** Counters in memory, for the command line, which has no database and a single user. */
export class MemoryWarmupStore extends WarmupStore {
  private readonly days = new Map<string, WarmupDay>();

  constructor(
    private readonly plan: WarmupPlan,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async exchange({ egress, provider }: WarmupKey, request: BlockRequest): Promise<WarmupBlock> {
    const key = `${egress} ${provider}`;
    const now = this.clock.now().getTime();
    const today = new Date(now).toISOString().slice(0, 10);
    const start = this.plan.starts.get(provider) ?? 0;
    // There are no other teams.
    const division = { mine: 0, others: [], dayLeft: 0 };
    const taken = takeBlock(this.days.get(key) ?? null, request, { today, start, plan: this.plan, division });
    this.days.set(key, taken.day);
    return { ...taken, dayEndsInMs: DAY_MS - (now % DAY_MS) };
  }

  override async deleteUnused(): Promise<number> {
    return 0;
  }
}
