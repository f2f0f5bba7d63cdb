import { BatchedWriter } from '../../kernel/concurrency/batched-writer.js';
import type { WarmupDay, WarmupPlan } from './warmup.js';
import type { WarmupKey, WarmupStore } from './warmup-store.js';

/** The team, the egress and the provider of a probe; null: not a large provider. */
export interface WarmupRoute {
  egress: string;
  provider: string | null;
  team: string;
}

export interface EgressWarmupOptions {
  /** null: no egress has a ceiling. */
  plan: WarmupPlan | null;
  store: WarmupStore;
  /** Whether the egress has been in use before. */
  isWarm: (egress: string) => boolean;
  /** `Clock.monotonicMs`. */
  nowMs: () => number;
  /** Called when the store is not available. */
  onStoreError: (error: unknown) => void;
}

/** Retry interval at the ceiling, because probes may be returned and shares grow in the course of the day. */
const RETRY_MS = 60_000;
const FAULT_RETRY_MS = 5_000;
const MAX_KEPT = 10_000;

/**
 * The daily ceilings of new egresses at large providers, divided among teams. While the store is not
 * available no further probes are sent, because they could exceed the ceiling.
 */
export class EgressWarmup {
  /** By route: a grant or denial that needs no request to the store until this time. */
  private readonly kept = new Map<string, { isGranted: boolean; untilMs: number }>();
  /** By egress and provider. */
  private readonly latest = new Map<string, { egress: string; provider: string; day: WarmupDay }>();
  /** Concurrent probes of a team are taken with one request to the store. */
  private readonly acquisitions = new BatchedWriter<WarmupKey, boolean>({
    write: (keys) => this.acquireFromStore(keys),
  });

  constructor(private readonly options: EgressWarmupOptions) {}

  /** Takes one probe. @returns false: the team's part of today's ceiling is used. */
  async acquire(route: WarmupRoute): Promise<boolean> {
    const key = this.keyOf(route);
    if (key === null) return true;
    return this.keptFor(key) ?? this.acquisitions.add(nameOf(key), key);
  }

  /** The probe was not sent. */
  returnProbe(route: WarmupRoute): Promise<void> {
    return this.report(route, (key) => this.options.store.returnProbe(key));
  }

  /** The provider refused the egress. */
  rejected(route: WarmupRoute): Promise<void> {
    return this.report(route, (key) => this.options.store.countRejection(key));
  }

  /** The ceilings as last seen. */
  *ceilings(): Iterable<Omit<WarmupKey, 'team'> & { ceiling: number; used: number }> {
    for (const { egress, provider, day } of this.latest.values())
      if (day.ceiling !== null) yield { egress, provider, ceiling: day.ceiling, used: day.used };
  }

  /** null: probes of this route are not counted. */
  private keyOf({ egress, provider, team }: WarmupRoute): WarmupKey | null {
    const { plan, isWarm } = this.options;
    if (plan === null || provider === null || !plan.starts.has(provider) || isWarm(egress)) return null;
    return { egress, provider, team };
  }

  private keptFor(key: WarmupKey): boolean | null {
    const kept = this.kept.get(nameOf(key));
    return kept !== undefined && kept.untilMs > this.options.nowMs() ? kept.isGranted : null;
  }

  private keep(key: WarmupKey, isGranted: boolean, forMs: number): void {
    const nowMs = this.options.nowMs();
    if (this.kept.size >= MAX_KEPT)
      for (const [name, { untilMs }] of this.kept) if (untilMs <= nowMs) this.kept.delete(name);
    this.kept.set(nameOf(key), { isGranted, untilMs: nowMs + forMs });
  }

  /** @param keys all the same. */
  private async acquireFromStore(keys: readonly WarmupKey[]): Promise<boolean[]> {
    const key = keys[0]!;
    const kept = this.keptFor(key);
    if (kept !== null) return keys.map(() => kept);
    try {
      const { day, granted, dayEndsInMs } = await this.options.store.acquire(key, keys.length);
      this.latest.set(`${key.egress} ${key.provider}`, { ...key, day });
      if (day.ceiling === null) this.keep(key, true, dayEndsInMs);
      else if (granted < keys.length) this.keep(key, false, Math.min(RETRY_MS, dayEndsInMs));
      return keys.map((_, n) => n < granted);
    } catch (error) {
      this.keep(key, false, FAULT_RETRY_MS);
      this.options.onStoreError(error);
      return keys.map(() => false);
    }
  }

  private async report(route: WarmupRoute, send: (key: WarmupKey) => Promise<void>): Promise<void> {
    const key = this.keyOf(route);
    // Without a ceiling nothing is counted.
    if (key === null || this.keptFor(key) === true) return;
    await send(key).catch(this.options.onStoreError);
  }
}

function nameOf({ egress, provider, team }: WarmupKey): string {
  return `${egress} ${provider} ${team}`;
}
