import { PostgresConnection, PostgresQueueBackend as BullBackend } from 'bullmq';
import { Pool, type ClientBase } from 'pg';
import type { Clock } from '../../kernel/clock.js';
import type { Log } from '../telemetry/log.js';
import { QueueBackend, type WorkerConnection } from './queue-backend.js';
import { QUEUE_SCHEMA } from './queue-schema.js';

const CONNECT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 5_000;
/** For adding jobs, of the whole process. */
const PRODUCER_CONNECTIONS = 2;
/** Per worker: one listens permanently, the others fetch and complete jobs. */
const WORKER_CONNECTIONS = 3;

/**
 * Always ready: the service has run the migrations of the queue or waited for them. BullMQ would check
 * them once, and never retry if that check failed.
 */
class MigratedConnection extends PostgresConnection {
  override async waitUntilReady(): Promise<void> {}
}

/** Jobs are rows in a separate schema of the same database; NOTIFY signals new jobs to the workers. */
export class PostgresQueueBackend extends QueueBackend {
  override readonly idleSeconds = 30;
  override readonly producerConnection: Pool;

  /** Connects when the first job is added. */
  constructor(
    private readonly url: string,
    log: Log,
    clock: Clock,
  ) {
    super(log, clock);
    this.producerConnection = this.createPool(PRODUCER_CONNECTIONS);
  }

  override readonly factory: QueueBackend['factory'] = (queue, options, { withBlockingConnection } = {}) =>
    new BullBackend(
      new MigratedConnection(options.connection as Pool),
      queue,
      options as ConstructorParameters<typeof BullBackend>[2],
      true,
      withBlockingConnection ? queue : undefined,
    );

  override workerConnection(): WorkerConnection {
    const pool = this.createPool(WORKER_CONNECTIONS);
    return { connection: pool, end: () => pool.end() };
  }

  override async close(): Promise<void> {
    await this.producerConnection.end();
  }

  private createPool(max: number): Pool {
    const pool = new Pool({
      connectionString: this.url,
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it; its type does not say so
      onConnect: setSearchPath,
      max,
      application_name: 'rcpt queue',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      // Detects the loss of a listening connection while no jobs arrive.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    // The pool replaces a lost connection; without a listener the error would end the process.
    pool.on('error', () => undefined);
    return pool;
  }
}

/** With a pool, BullMQ uses table names without a schema. */
async function setSearchPath(client: ClientBase): Promise<void> {
  await client.query(`SET search_path = ${QUEUE_SCHEMA}`);
}
