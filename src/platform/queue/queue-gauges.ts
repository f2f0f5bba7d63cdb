import type { JobState, Queue } from 'bullmq';
import type { Clock } from '../../kernel/clock.js';
import type { Meter } from '../../kernel/meter.js';
import { least } from '../../kernel/long-lists.js';

export interface QueueCounts {
  /** Due now. */
  waiting: number;
  /** Due later. */
  delayed: number;
  active: number;
  /** Age of the job that has waited longest; null: none waits. */
  oldestWaitingSeconds: number | null;
}

export class QueueGauges {
  private pending: Promise<QueueCounts> | null = null;

  constructor(
    private readonly queue: Queue,
    meter: Meter,
    private readonly clock: Clock,
  ) {
    const labels = [queue.name];
    const gauge = (name: Parameters<Meter['gauge']>[0], pick: (counts: QueueCounts) => number) =>
      meter.gauge(name, async () => [{ labels, value: pick(await this.shared()) }]);
    gauge('rcpt_queue_waiting', ({ waiting }) => waiting);
    gauge('rcpt_queue_active', ({ active }) => active);
    gauge('rcpt_queue_oldest_seconds', ({ oldestWaitingSeconds }) => oldestWaitingSeconds ?? 0);
  }

  /** @throws when the store is not available. */
  async counts(): Promise<QueueCounts> {
    const count = (...states: JobState[]) => this.queue.getJobCountByTypes(...states);
    const oldest = await this.queue.getJobs(['waiting', 'prioritized'], 0, 0, true);
    const since = oldest.map(({ timestamp, delay }) => timestamp + delay);
    const now = this.clock.now().getTime();
    return {
      waiting: await count('waiting', 'prioritized'),
      delayed: await count('delayed'),
      active: await count('active'),
      oldestWaitingSeconds: since.length === 0 ? null : Math.max(0, now - least(since)) / 1000,
    };
  }

  /** As `counts`; those who ask at the same time share one query. */
  shared(): Promise<QueueCounts> {
    return (this.pending ??= this.counts().finally(() => (this.pending = null)));
  }
}
