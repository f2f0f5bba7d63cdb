import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { PaymentProvider, type TierPrice } from './domain/payment-provider.js';

export type { TierPrice };

const FRESH_MS = 3_600_000;
const RETRY_MS = 60_000;
const WAIT_MS = 1_000;

/** The prices of tiers, as the payment provider states them. Nobody waits long for them, and nothing fails without them. */
@Injectable()
export class PricesService {
  private known: readonly TierPrice[] = [];
  private loading: Promise<void> | null = null;
  private dueMs = -Infinity;

  constructor(
    private readonly provider: PaymentProvider,
    private readonly clock: Clock,
  ) {}

  /** The prices that are known within a second; empty if the provider does not answer. */
  async list(): Promise<readonly TierPrice[]> {
    if (!this.provider.isConfigured) return [];
    if (this.clock.monotonicMs() >= this.dueMs) this.loading ??= this.load();
    if (this.loading !== null && this.known.length === 0) await withinWait(this.loading);
    return this.known;
  }

  private async load(): Promise<void> {
    try {
      this.known = await this.provider.prices();
      this.dueMs = this.clock.monotonicMs() + FRESH_MS;
    } catch {
      // The provider has logged it. Known prices stay.
      this.dueMs = this.clock.monotonicMs() + RETRY_MS;
    } finally {
      this.loading = null;
    }
  }
}

async function withinWait(loading: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const wait = new Promise<void>((resolve) => (timer = setTimeout(resolve, WAIT_MS)));
  await Promise.race([loading, wait]);
  clearTimeout(timer);
}
