import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { OpenPlatform } from './platform/open-platform.js';
import { QUEUES } from './worker.module.js';

/** What a process knows of its stores; the modules tell of themselves. */
export function watchPlatform({ meter, dataSource, outbox, queue }: OpenPlatform): void {
  // First: what is read next takes a connection itself.
  meter.watch('rcpt_db_pool_connections', () => {
    const { totalCount, idleCount, waitingCount } = poolOf(dataSource);
    const states = { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    return Object.entries(states).map(([state, value]) => ({ labels: [state], value }));
  });
  meter.watch('rcpt_outbox_lag_seconds', async () => [{ labels: [], value: await outbox.lagSeconds() }]);
  for (const name of QUEUES) {
    const counts = together(() => queue.counts(name));
    const labels = [name];
    meter.watch('rcpt_queue_waiting', async () => [{ labels, value: (await counts()).waiting }]);
    meter.watch('rcpt_queue_active', async () => [{ labels, value: (await counts()).active }]);
    meter.watch('rcpt_queue_oldest_seconds', async () => [
      { labels, value: (await counts()).oldestWaitingSeconds ?? 0 },
    ]);
  }
}

/** Who asks while an answer is on its way gets that one. */
function together<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => (underWay ??= ask().finally(() => (underWay = null)));
}

function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
