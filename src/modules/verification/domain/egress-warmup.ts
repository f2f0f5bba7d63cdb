import type { WarmupPlan } from './warmup.js';
import type { WarmupBlock, WarmupKey, WarmupStore } from './warmup-store.js';

/** The part of the day's probes that this process holds. */
interface HeldBlock {
  key: WarmupKey;
  remaining: number;
  endsAtMs: number;
  /** When the store may be asked again for a part. */
  nextRequestAtMs: number;
  refused: number;
  reportedAtMs: number;
  latest: WarmupBlock | null;
  /** The request under way. */
  request: Promise<void> | null;
}

export interface EgressWarmupOptions {
  /** null: no egress has a ceiling. */
  plan: WarmupPlan | null;
  store: WarmupStore;
  /** Whether servers know the egress already. */
  isWarm: (egress: string) => boolean;
  /** `Clock.monotonicMs`. */
  nowMs: () => number;
  /** Called when the store does not answer. */
  onFault: (error: unknown) => void;
}

/** At the ceiling, other processes may still return what they did not use. */
const RETRY_MS = 60_000;
const FAULT_RETRY_MS = 5_000;
const REPORT_EVERY_MS = 60_000;

/**
 * The daily ceilings of new egresses at large providers. Probes are taken from the store in blocks, so that
 * one in ten to fifty writes to it. Without the store no further probe is sent: a ceiling that does not hold
 * is none.
 */
export class EgressWarmup {
  private readonly held = new Map<string, HeldBlock>();

  constructor(private readonly options: EgressWarmupOptions) {}

  /** Takes one probe. @returns false: the ceiling of today is reached. */
  async take(egress: string, provider: string | null): Promise<boolean> {
    const block = this.blockOf(egress, provider);
    if (block === null) return true;
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
  giveBack(egress: string, provider: string | null): void {
    const block = this.blockOf(egress, provider);
    if (block !== null) block.remaining += 1;
  }

  /** The provider refused the egress. */
  refused(egress: string, provider: string | null): void {
    const block = this.blockOf(egress, provider);
    if (block === null) return;
    block.refused += 1;
    if (this.options.nowMs() - block.reportedAtMs >= REPORT_EVERY_MS) void this.report(block);
  }

  /** Reports what was not used. */
  async close(): Promise<void> {
    await Promise.all([...this.held.values()].map((block) => this.report(block)));
  }

  /** The ceilings as last seen. */
  *ceilings(): Iterable<WarmupKey & { ceiling: number; used: number }> {
    for (const { key, latest } of this.held.values())
      if (latest !== null && latest.day.ceiling !== null)
        yield { ...key, ceiling: latest.day.ceiling, used: latest.day.used };
  }

  /** null: no ceiling. */
  private blockOf(egress: string, provider: string | null): HeldBlock | null {
    const { plan, isWarm } = this.options;
    if (plan === null || provider === null || !plan.starts.has(provider) || isWarm(egress)) return null;
    const name = `${egress} ${provider}`;
    const existing = this.held.get(name);
    if (existing !== undefined) return existing;
    const block: HeldBlock = {
      key: { egress, provider },
      remaining: 0,
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

  /** Returns the rest of the block too; the next probe takes a new one. */
  private async report(block: HeldBlock): Promise<void> {
    if (block.request !== null || block.latest === null) return;
    if (block.refused > 0 || block.remaining > 0) await this.exchange(block, false);
  }

  /** null: the store does not answer. */
  private async exchange(block: HeldBlock, wants: boolean): Promise<WarmupBlock | null> {
    const { refused, latest, remaining } = block;
    const returned = Number.isFinite(remaining) ? remaining : 0;
    block.refused = 0;
    block.remaining = 0;
    block.reportedAtMs = this.options.nowMs();
    try {
      const request = { day: latest?.day.day ?? null, returned, refused, wants };
      return (block.latest = await this.options.store.exchange(block.key, request));
    } catch (error) {
      block.refused += refused;
      block.remaining += returned;
      this.options.onFault(error);
      return null;
    }
  }
}
