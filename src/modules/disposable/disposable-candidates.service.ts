import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DisposableOverrideRepository } from './domain/disposable-override.repository.js';
import type { DisposableCandidate } from './domain/disposable-candidate.js';

const FLUSH_MS = 2_000;
/** Gathered between two flushes; more are noticed another time. */
const MOST_GATHERED = 1_000;
/** As many as an operator might look through; a flood of names must not fill the table. */
const MOST_PENDING = 10_000;

/** Domains that look disposable by where their mail goes: gathered in memory, so that no check waits for it. */
@Injectable()
export class DisposableCandidatesService implements OnModuleInit, OnApplicationShutdown {
  private gathered = new Map<string, DisposableCandidate>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly overrides: DisposableOverrideRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Proposes to the operator that a domain is disposable; condemns nobody. */
  record({ domain, mxHost }: Pick<DisposableCandidate, 'domain' | 'mxHost'>): void {
    const times = (this.gathered.get(domain)?.times ?? 0) + 1;
    if (times === 1 && this.gathered.size >= MOST_GATHERED) return;
    this.gathered.set(domain, { domain, mxHost, times, lastSeenAt: this.clock.now() });
  }

  /** Writes what was gathered; what the database does not take is noticed again when it is met again. */
  async flush(): Promise<void> {
    if (this.gathered.size === 0) return;
    const noticed = [...this.gathered.values()];
    this.gathered = new Map();
    await this.overrides.recordCandidates(noticed, MOST_PENDING).catch(() => undefined);
  }
}
