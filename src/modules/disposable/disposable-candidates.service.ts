import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DisposableOverrideRepository } from './domain/disposable-override.repository.js';
import type { DisposableCandidate } from './domain/disposable-candidate.js';

const FLUSH_MS = 2_000;
/** Collected between two flushes; further candidates are dropped. */
const MAX_COLLECTED = 1_000;
/** Maximum number of pending candidates, so that a flood of names cannot fill the table. */
const MAX_PENDING = 10_000;

/**
 * Domains that look disposable by their mail servers: collected in memory, so that verification does
 * not wait.
 */
@Injectable()
export class DisposableCandidatesService implements OnModuleInit, OnApplicationShutdown {
  private collected = new Map<string, DisposableCandidate>();
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

  /** Proposes a domain to the operator as disposable; it has no effect on verdicts. */
  record({ domain, mxHost }: Pick<DisposableCandidate, 'domain' | 'mxHost'>): void {
    const times = (this.collected.get(domain)?.times ?? 0) + 1;
    if (times === 1 && this.collected.size >= MAX_COLLECTED) return;
    this.collected.set(domain, { domain, mxHost, times, lastSeenAt: this.clock.now() });
  }

  /** Writes the collected candidates; those that fail are recorded again when they occur again. */
  async flush(): Promise<void> {
    if (this.collected.size === 0) return;
    const candidates = [...this.collected.values()];
    this.collected = new Map();
    await this.overrides.recordCandidates(candidates, MAX_PENDING).catch(() => undefined);
  }
}
