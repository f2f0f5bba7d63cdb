import { randomBytes, randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { SignupResponse } from '../../../src/modules/accounts/accounts/sign-up/signup.dto.js';
import type { NewKeyResponse } from '../../../src/modules/identity/api-keys/api-keys.dto.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { aFreshDatabase } from '../database/fresh-database.js';
import { RcptProcess } from './rcpt-process.js';
import { RedisServer } from '../queue/redis-server.js';
import { TcpRelay } from '../database/tcp-relay.js';

export const QUEUE_BACKENDS = ['PostgreSQL', 'Redis'] as const;
export type QueueBackendName = (typeof QUEUE_BACKENDS)[number];

export interface FleetAccount {
  team: { id: string };
  live_key: string;
  test_key: string;
}

/** The built program as in production: API and workers as separate processes, with real databases and queues. */
export class BulkFleet {
  url = '';
  api!: RcptProcess;
  readonly workers: RcptProcess[] = [];

  private constructor(
    /** A direct connection to the database, not through the relay. */
    readonly database: DataSource,
    readonly databaseRelay: TcpRelay,
    readonly redis: RedisServer | null,
    private readonly env: Record<string, string>,
    private readonly roles: readonly string[],
    private readonly dropDatabase: () => Promise<void>,
    private readonly main: string,
  ) {}

  /**
   * @param workers worker processes; with 0, the process of the API is the worker too.
   * @param more additional environment variables.
   * @param direct connects the processes to the database without the relay, to measure them.
   * @param create the database; without tables, the API runs the migrations.
   * @param main the program; that of another build by its path.
   */
  static async start(
    backend: QueueBackendName,
    workers: number,
    more: Record<string, string> = {},
    direct = false,
    create = aFreshDatabase,
    main = 'main.js',
  ): Promise<BulkFleet> {
    const database = await create();
    const truth = await createDataSource(database.url, [], 2).initialize();
    const { relay, url } = await TcpRelay.to(database.url);
    const redis = backend === 'Redis' ? await RedisServer.onAFreePort() : null;
    await redis?.start();
    const env = {
      DATABASE_URL: direct ? database.url : url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      PORT: '0',
      HOST: '127.0.0.1',
      PUBLIC_URL: 'https://rcpt.example',
      DNS_SERVERS: '127.0.0.1:9',
      DNS_TIMEOUT_MS: '200',
      LOG_LEVEL: 'warn',
      SIGNUP: 'open',
      TRUST_PROXY: '1',
      ...(redis && { REDIS_URL: redis.url }),
      ...more,
    };
    const roles = workers === 0 ? [] : ['--api'];
    const fleet = new BulkFleet(truth, relay, redis, env, roles, () => database.drop(), main);
    await Promise.all([fleet.startApi(), ...Array.from({ length: workers }, (_, n) => fleet.startWorker(n))]);
    return fleet;
  }

  async startApi(): Promise<void> {
    this.api = RcptProcess.run([this.main, ...this.roles], this.env);
    this.url = await this.api.ready();
  }

  async startWorker(n: number): Promise<void> {
    const worker = RcptProcess.run([this.main, '--worker'], this.env);
    this.workers[n] = worker;
    await worker.ready();
  }

  /** Kills a worker and expires its leases. */
  async killWorker(n: number): Promise<void> {
    await this.workers[n]?.end('SIGKILL');
    for (const table of ['bulk_chunks', 'list_previews'])
      await this.database.query(`UPDATE ${table} SET leased_until = now() WHERE lease IS NOT NULL`);
  }

  /** Deletes all jobs, as a restart of a queue without persistence does. */
  async loseQueuedJobs(): Promise<void> {
    if (this.redis === null) {
      await this.database.query('TRUNCATE bullmq.job, bullmq.event, bullmq.meta CASCADE');
      return;
    }
    await this.redis.kill();
    await this.redis.start();
  }

  /** Polls until the condition is true. */
  async until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await pause(50);
  }

  async anAccount(tier: string): Promise<FleetAccount> {
    const email = `owner${randomBytes(4).toString('hex')}@team.example`;
    const signedUp = await this.post<SignupResponse>('/signup', { email, team_name: 'A team' });
    const { id } = signedUp.team;
    const live_key = signedUp.key.key ?? '';
    // Set before the first use of the key, because processes cache the team for seconds.
    await this.database.query('UPDATE teams SET base_tier = $2 WHERE id = $1', [id, tier]);
    const test = await this.post<NewKeyResponse>('/v1/keys', { name: 'test', mode: 'test' }, live_key);
    return { team: { id }, live_key, test_key: test.key ?? '' };
  }

  private async post<Answer>(path: string, body: object, key?: string): Promise<Answer> {
    const answer = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        // One address may sign up ten times a day; a chaos run needs more accounts.
        'X-Forwarded-For': `198.18.${randomInt(256)}.${randomInt(256)}`,
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  async get<Answer>(path: string, key: string): Promise<Answer> {
    const answer = await fetch(`${this.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  async submit(emails: readonly string[], key: string): Promise<string> {
    const answer = await fetch(`${this.url}/v1/verify/bulk`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ emails }),
    });
    if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { id: string }).id;
  }

  /** Submits a list that is generated while it is sent. */
  async submitStreamed(
    lines: Iterable<string>,
    key: string,
    { type = 'application/x-ndjson', query = '' } = {},
  ): Promise<string> {
    const answer = await fetch(`${this.url}/v1/verify/bulk${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': type },
      body: Readable.toWeb(Readable.from(joined(lines))),
      duplex: 'half',
    });
    if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { id: string }).id;
  }

  /** Reads all results as CSV. @returns the number of lines. */
  async countCsv(id: string, key: string): Promise<number> {
    const answer = await fetch(`${this.url}/v1/bulk-jobs/${id}/results`, {
      headers: { Authorization: `Bearer ${key}`, Accept: 'text/csv' },
    });
    let lines = 0;
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>)
      for (const byte of chunk) if (byte === 10) lines++;
    return lines;
  }

  /** The output of processes that ended unexpectedly. */
  unexpectedExits(): string[] {
    return [this.api, ...this.workers]
      .filter(({ child }) => child.exitCode !== null || child.signalCode !== null)
      .map(
        ({ child, stderr, stdout }) =>
          `${child.exitCode ?? child.signalCode}: ${stderr} ${stdout.slice(-2_000)}`,
      );
  }

  async stop(): Promise<void> {
    await Promise.all([this.api, ...this.workers].map((child) => child.end('SIGKILL')));
    await this.databaseRelay.close();
    await this.redis?.kill();
    await this.database.destroy();
    await this.dropDatabase();
  }
}

/** Joins lines to chunks of 64 kB. */
function* joined(lines: Iterable<string>): Generator<Buffer> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < 65_536) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}
