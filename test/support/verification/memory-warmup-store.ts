import {
  NEVER_USED,
  warmupTimeAt,
  type WarmupChange,
  type WarmupDay,
  type WarmupTime,
} from '../../../src/engine/egress/warmup.js';
import { WarmupStore, type WarmupKey } from '../../../src/engine/egress/warmup-store.js';
import type { Clock } from '../../../src/kernel/clock.js';

/** Counters in memory, for one team. */
export class MemoryWarmupStore extends WarmupStore {
  private readonly days = new Map<string, WarmupDay>();

  constructor(private readonly clock: Clock) {
    super();
  }

  override async change(
    { egress, provider }: WarmupKey,
    next: (last: WarmupDay, time: WarmupTime) => WarmupChange,
  ): Promise<WarmupChange> {
    const name = `${egress} ${provider}`;
    // There are no other teams, so nothing is reserved for them.
    const time = { ...warmupTimeAt(this.clock.now()), dayLeft: 0 };
    const change = next(this.days.get(name) ?? NEVER_USED, time);
    this.days.set(name, change.day);
    return change;
  }

  override async deleteUnused(): Promise<number> {
    return 0;
  }

  override async deleteByTeam(): Promise<number> {
    return 0;
  }
}
