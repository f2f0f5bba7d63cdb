import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { BatchedWriter } from '../../kernel/concurrency/batched-writer.js';
import { DisposableOverrideRepository } from './domain/disposable-override.repository.js';
import type { DisposableCandidate } from './domain/disposable-override.js';

const COLLECT_MS = 2_000;
/** Collected between two writes; further candidates are dropped. */
const MAX_COLLECTED = 1_000;
/** Maximum number of pending candidates, so that a flood of names cannot fill the table. */
const MAX_PENDING = 10_000;

/**
 * Domains that look disposable by their mail servers: collected in memory, so that verification does
 * not wait.
 */
@Injectable()
export class DisposableCandidatesService implements OnApplicationShutdown {
  private readonly candidates = new BatchedWriter<DisposableCandidate>({
    write: (candidates) => this.write(candidates),
    idOf: ({ domain }) => domain,
    merge: (earlier, later) => ({ ...later, times: earlier.times + later.times }),
    collectMs: COLLECT_MS,
  });

  constructor(
    private readonly overrides: DisposableOverrideRepository,
    private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.candidates.close();
  }

  /** Proposes a domain to the operator as disposable; it has no effect on verdicts. */
  record({ domain, mxHost }: Pick<DisposableCandidate, 'domain' | 'mxHost'>): void {
    if (this.candidates.waiting >= MAX_COLLECTED) return;
    void this.candidates.add('', { domain, mxHost, times: 1, lastSeenAt: this.clock.now() });
  }

  async flush(): Promise<void> {
    await this.candidates.flush();
  }

  /** Those that fail are recorded again when they occur again. */
  private async write(candidates: readonly DisposableCandidate[]): Promise<void> {
    await this.overrides.recordCandidates(candidates, MAX_PENDING).catch(() => undefined);
  }
}
