import { PostgresConnection, PostgresQueueBackend as BullBackend } from 'bullmq';
import { Pool, type ClientBase } from 'pg';
import type { Clock } from '../../kernel/clock.js';
import { withDeadline } from '../../kernel/deadline.js';
import type { Log } from '../telemetry/log.js';
import { QueueBackend, type WorkerConnection } from './queue-backend.js';
import { QUEUE_SCHEMA } from './queue-schema.js';

const CONNECT_TIMEOUT_MS = 3_000;
const QUERY_TIMEOUT_MS = 5_000;
/** An unavailable database does not reply. */
const CLOSE_MS = 2_000;
/** Of the process: one listens as long as it processes jobs, the others add, fetch and complete them. */
export const QUEUE_CONNECTIONS = 3;

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/** The connections of all queues of a process, with one that listens for all of them. */
class SharedConnection extends PostgresConnection {
  private listener: ListenClient | null = null;

  constructor(readonly connections: Pool) {
    super(connections);
    // Each queue, and each of its workers, listens to its events.
    this.setMaxListeners(0);
  }

  /**
   * Always ready: the service has run the migrations of the queue or waited for them. BullMQ would check
   * them once, and never retry if that check failed.
   */
  override async waitUntilReady(): Promise<void> {}

  /** The workers send LISTEN at the same time, and `pg` 9 will not accept a statement while another one runs. */
  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    if (client !== this.listener) oneByOne(client);
    this.listener = client;
    return client;
  }

  /** Called for each queue and worker that ends. */
  override async close(): Promise<void> {}

  /** Call it after the last of them. */
  async end(): Promise<void> {
    await super.close();
    await this.connections.end();
  }
}

/** Jobs are rows in a separate schema of the same database; NOTIFY signals new jobs to the workers. */
export class PostgresQueueBackend extends QueueBackend {
  override readonly idleSeconds = 30;
  override readonly producerConnection: SharedConnection;

  /** Connects when the first job is added. */
  constructor(url: string, log: Log, clock: Clock) {
    super(log, clock);
    this.producerConnection = new SharedConnection(poolOf(url));
  }

  override readonly factory: QueueBackend['factory'] = (queue, options) =>
    new BullBackend(this.producerConnection, queue, options as ConstructorParameters<typeof BullBackend>[2]);

  override workerConnection(): WorkerConnection {
    return { connection: this.producerConnection, end: async () => undefined };
  }

  override async close(): Promise<void> {
    await withDeadline(CLOSE_MS, null, () => this.producerConnection.end());
  }
}

/** Each statement of the client waits for the one before. */
function oneByOne(client: ListenClient): void {
  const query = client.query.bind(client);
  let last: Promise<unknown> = Promise.resolve();
  client.query = <R>(text: string, values?: unknown[]) => {
    const result = last.then(() => query<R>(text, values));
    last = result.catch(() => undefined);
    return result;
  };
}

function poolOf(connectionString: string): Pool {
  const pool = new Pool({
    connectionString,
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it; its type does not say so
    onConnect: setSearchPath,
    max: QUEUE_CONNECTIONS,
    application_name: 'rcpt queue',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // Detects the loss of the listening connection while no jobs arrive.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // The pool replaces a lost connection; without a listener the error would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** With a pool, BullMQ uses table names without a schema. */
async function setSearchPath(client: ClientBase): Promise<void> {
  await client.query(`SET search_path = ${QUEUE_SCHEMA}`);
}
