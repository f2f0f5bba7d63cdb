import type { WarmupDay, WarmupPlan } from './warmup.js';
import type { WarmupBlock, WarmupKey, WarmupStore } from './warmup-store.js';

/** The block of today's probes that this process has reserved for a team. */
interface HeldBlock {
  key: WarmupKey;
  remaining: number;
  usedAtMs: number;
  endsAtMs: number;
  /** When the next block may be requested. */
  nextRequestAtMs: number;
  refused: number;
  reportedAtMs: number;
  latest: WarmupBlock | null;
  /** The pending request. */
  request: Promise<void> | null;
}

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
  onFault: (error: unknown) => void;
}

/** Retry interval at the ceiling, because other processes may return unused probes. */
const RETRY_MS = 60_000;
const FAULT_RETRY_MS = 5_000;
const REPORT_EVERY_MS = 60_000;
/** The rest of a block is returned when the team has not used it for this time. */
const IDLE_MS = 60_000;

/**
 * The daily ceilings of new egresses at large providers, divided among teams. Probes are reserved in blocks,
 * so that one in ten to fifty writes to the store. While the store is not available no further probes are
 * sent, because they could exceed the ceiling.
 */
export class EgressWarmup {
  private readonly held = new Map<string, HeldBlock>();
  /** By egress and provider. */
  private readonly latest = new Map<string, { egress: string; provider: string; day: WarmupDay }>();

  constructor(private readonly options: EgressWarmupOptions) {}

  /** Whether probes of this route must be reserved. */
  hasCeiling({ egress, provider }: WarmupRoute): boolean {
    const { plan, isWarm } = this.options;
    return plan !== null && provider !== null && plan.starts.has(provider) && !isWarm(egress);
  }

  /** Takes one probe. @returns false: the team's part of today's ceiling is used. */
  async take(route: WarmupRoute): Promise<boolean> {
    const block = this.blockOf(route);
    if (block === null) return true;
    block.usedAtMs = this.options.nowMs();
    for (;;) {
      if (block.endsAtMs > this.options.nowMs() && block.remaining > 0) {
        block.remaining -= 1;
        return true;
      }
      if (block.request === null && block.nextRequestAtMs > this.options.nowMs()) return false;
      await (block.request ??= this.renew(block).finally(() => (block.request = null)));
      if (block.nextRequestAtMs > this.options.nowMs() && block.remaining === 0) return false;
    }
  }

  /** The probe was not sent. */
  returnProbe(route: WarmupRoute): void {
    const block = this.blockOf(route);
    if (block !== null) block.remaining += 1;
  }

  /** The provider refused the egress. */
  refused(route: WarmupRoute): void {
    const block = this.blockOf(route);
    if (block === null) return;
    block.refused += 1;
    if (this.options.nowMs() - block.reportedAtMs >= REPORT_EVERY_MS) void this.report(block);
  }

  /** Returns unused probes. */
  async close(): Promise<void> {
    await Promise.all([...this.held.values()].map((block) => this.report(block)));
  }

  /** The ceilings as last seen. */
  *ceilings(): Iterable<Omit<WarmupKey, 'team'> & { ceiling: number; used: number }> {
    for (const { egress, provider, day } of this.latest.values())
      if (day.ceiling !== null) yield { egress, provider, ceiling: day.ceiling, used: day.used };
  }

  /** null: no ceiling. */
  private blockOf(route: WarmupRoute): HeldBlock | null {
    const { egress, provider, team } = route;
    if (provider === null || !this.hasCeiling(route)) return null;
    const name = `${egress} ${provider} ${team}`;
    const existing = this.held.get(name);
    if (existing !== undefined) return existing;
    const block: HeldBlock = {
      key: { egress, provider, team },
      remaining: 0,
      usedAtMs: this.options.nowMs(),
      endsAtMs: -Infinity,
      nextRequestAtMs: -Infinity,
      refused: 0,
      reportedAtMs: this.options.nowMs(),
      latest: null,
      request: null,
    };
    this.held.set(name, block);
    return block;
  }

  private async renew(block: HeldBlock): Promise<void> {
    this.returnIdle();
    const answer = await this.exchange(block, true);
    const nowMs = this.options.nowMs();
    if (answer === null) {
      block.nextRequestAtMs = nowMs + FAULT_RETRY_MS;
      return;
    }
    block.remaining += answer.granted ?? Infinity;
    block.endsAtMs = nowMs + answer.dayEndsInMs;
    block.nextRequestAtMs = answer.granted === 0 ? nowMs + Math.min(RETRY_MS, answer.dayEndsInMs) : -Infinity;
  }

  /** Returns and deletes the blocks of teams that send no probes any more. */
  private returnIdle(): void {
    const before = this.options.nowMs() - IDLE_MS;
    for (const [name, block] of this.held) {
      if (block.usedAtMs > before || block.request !== null) continue;
      if (block.refused === 0 && block.remaining <= 0) this.held.delete(name);
      else void this.report(block);
    }
  }

  /** Returns the rest of the block too; the next probe takes a new one. */
  private async report(block: HeldBlock): Promise<void> {
    if (block.request !== null || block.latest === null) return;
    if (block.refused === 0 && block.remaining <= 0) return;
    await (block.request = this.exchange(block, false).then(() => {
      block.request = null;
    }));
  }

  /** null: the store is not available. */
  private async exchange(block: HeldBlock, needsBlock: boolean): Promise<WarmupBlock | null> {
    const { refused, latest, remaining } = block;
    const returned = Number.isFinite(remaining) ? remaining : 0;
    block.refused = 0;
    block.remaining = 0;
    block.reportedAtMs = this.options.nowMs();
    try {
      const request = { day: latest?.day.day ?? null, returned, refused, needsBlock };
      block.latest = await this.options.store.exchange(block.key, request);
      const { egress, provider } = block.key;
      this.latest.set(`${egress} ${provider}`, { egress, provider, day: block.latest.day });
      return block.latest;
    } catch (error) {
      block.refused += refused;
      block.remaining += returned;
      this.options.onFault(error);
      return null;
    }
  }
}
