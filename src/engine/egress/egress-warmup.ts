import { BatchedWriter } from '../../kernel/concurrency/batched-writer.js';
import type { WarmupPlan } from '../../kernel/warmup-plan.js';
import { afterEvents, probesLeftFor, type WarmupDay, type WarmupEvent } from './warmup.js';
import type { WarmupKey, WarmupStore } from './warmup-store.js';

export interface EgressWarmupOptions {
  plan: WarmupPlan;
  /** null: a process without a database has no ceilings. */
  store: WarmupStore | null;
  /** Whether the egress has been in use before. */
  isWarm: (egress: string) => boolean;
  /** `Clock.monotonicMs`. */
  nowMs: () => number;
  onStoreError: (error: unknown) => void;
}

export type RouteEvent = WarmupKey & WarmupEvent;

interface Seen extends WarmupKey {
  /** null: the store has not been available yet. */
  day: WarmupDay | null;
  dayLeft: number;
  isAvailable: boolean;
  untilMs: number;
}

/** Other processes may return probes, and shares grow in the course of the day. */
const SEEN_MS = 60_000;
const STORE_RETRY_MS = 5_000;
/** A ceiling changes once a day. */
const CEILING_KNOWN_MS = 3_600_000;

/**
 * The daily ceilings of new egresses at large providers, divided among teams. While the store is not
 * available no further probes are sent, because they could exceed the ceiling.
 */
export class EgressWarmup {
  /** The last state by egress and provider. */
  private readonly seen = new Map<string, Seen>();
  /** One change at a time: concurrent ones would wait for the same row, each with a connection of the database. */
  private readonly events = new BatchedWriter<RouteEvent, boolean>({ write: (events) => this.write(events) });

  constructor(private readonly options: EgressWarmupOptions) {}

  /** @returns false: the team's part of today's ceiling is used, and the probe must not be sent. */
  async record(event: RouteEvent): Promise<boolean> {
    const { plan, store, isWarm } = this.options;
    if (store === null || !plan.starts.has(event.provider) || isWarm(event.egress)) return true;
    return this.knownResult(event) ?? this.events.add(nameOf(event), event);
  }

  /**
   * The most probes that the team may still send today, by the ceiling and its own probes alone: those of other teams
   * are not disclosed. Infinity: no ceiling is known.
   */
  mostLeftFor(team: string, key: WarmupKey): number {
    const { plan, store, isWarm, nowMs } = this.options;
    if (store === null || !plan.starts.has(key.provider) || isWarm(key.egress)) return Infinity;
    const { day, dayLeft, untilMs } = this.seen.get(nameOf(key)) ?? { day: null, dayLeft: 1, untilMs: 0 };
    if (day === null || nowMs() > untilMs + CEILING_KNOWN_MS) return Infinity;
    const used = day.teams[team]?.used ?? 0;
    return probesLeftFor(team, { ...day, used, teams: { [team]: { used, rejected: 0 } } }, dayLeft);
  }

  *ceilings(): Iterable<WarmupKey & { ceiling: number; used: number }> {
    for (const { egress, provider, day } of this.seen.values())
      if (day !== null && day.ceiling !== null)
        yield { egress, provider, ceiling: day.ceiling, used: day.used };
  }

  /** The result of an event that needs no request to the store; null: it needs one. */
  private knownResult({ kind, team, ...key }: RouteEvent): boolean | null {
    const seen = this.seen.get(nameOf(key));
    if (seen === undefined || seen.untilMs <= this.options.nowMs()) return null;
    const { day, dayLeft, isAvailable } = seen;
    if (isAvailable && day?.ceiling === null) return true;
    if (kind !== 'probe') return null;
    return !isAvailable || day === null || probesLeftFor(team, day, dayLeft) === 0 ? false : null;
  }

  /** @param events of the same egress and provider. */
  private async write(events: readonly RouteEvent[]): Promise<boolean[]> {
    const known = events.map((event) => this.knownResult(event));
    if (known.every((result) => result !== null)) return known;
    const { egress, provider } = events[0]!;
    const { plan, store, nowMs, onStoreError } = this.options;
    const name = nameOf({ egress, provider });
    const start = plan.starts.get(provider) ?? 0;
    try {
      const { day, dayLeft, granted } = await store!.change({ egress, provider }, (last, time) =>
        afterEvents(last, events, time, start, plan),
      );
      this.seen.set(name, { egress, provider, day, dayLeft, isAvailable: true, untilMs: nowMs() + SEEN_MS });
      return granted;
    } catch (error) {
      const last = this.seen.get(name) ?? { egress, provider, day: null, dayLeft: 1 };
      this.seen.set(name, { ...last, isAvailable: false, untilMs: nowMs() + STORE_RETRY_MS });
      onStoreError(error);
      return events.map(() => false);
    }
  }
}

function nameOf({ egress, provider }: WarmupKey): string {
  return `${egress} ${provider}`;
}
