import type { BackendFactory, IQueueBackend } from 'bullmq';
import { Pool } from 'pg';
import type { QueueBackend } from './queue-backend.js';
import { QUEUE_SCHEMA } from './queue-schema.js';

const CONNECT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 5_000;
/** For all that this process rings. */
const RINGING_CONNECTIONS = 2;
/** One listens for rings as long as the worker lives, the others take and put back. */
const WORKING_CONNECTIONS = 3;

/** Rings are rows in a schema of their own, beside everything else; a NOTIFY wakes who waits for one. */
export class PostgresQueueBackend implements QueueBackend {
  readonly idleSeconds = 30;
  private readonly pool: Pool;

  /** Dials nothing yet. */
  constructor(private readonly url: string) {
    this.pool = this.aPool(RINGING_CONNECTIONS);
  }

  async factory(): Promise<BackendFactory<IQueueBackend, unknown>> {
    const { createPostgresBackend } = await import('bullmq');
    return createPostgresBackend as unknown as BackendFactory<IQueueBackend, unknown>;
  }

  /** The database is asked for at the start by those who cannot do without it. */
  async open(): Promise<void> {}

  async producerConnection(): Promise<unknown> {
    return this.pool;
  }

  workerConnection(): { connection: unknown; end: () => Promise<void> } {
    const pool = this.aPool(WORKING_CONNECTIONS);
    return { connection: pool, end: () => pool.end() };
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private aPool(max: number): Pool {
    const pool = new Pool({
      connectionString: onSchema(this.url),
      max,
      application_name: 'rcpt queue',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      // A listener that was cut off in silence is told from one that nobody rings for.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    // The pool replaces what was lost; unheard it would end the process.
    pool.on('error', () => undefined);
    return pool;
  }
}

/** BullMQ names its tables without their schema when it is given a pool. */
function onSchema(url: string): string {
  const target = new URL(url);
  const options = [target.searchParams.get('options'), `-c search_path=${QUEUE_SCHEMA}`];
  target.searchParams.set('options', options.filter(Boolean).join(' '));
  return target.href;
}
