import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource, EntitySchema } from 'typeorm';
import { randomBytes } from 'node:crypto';
import { createDataSource } from './database/data-source.js';
import { EmbeddedPostgres } from './database/embedded-postgres.js';
import { Outbox } from './database/outbox.js';
import { PostgresUnitOfWork } from './database/postgres-unit-of-work.js';
import type { Platform } from './platform.module.js';
import type { StoredPlatform } from './stored-platform.js';
import { BullJobQueue } from './queue/bull-job-queue.js';
import { PostgresQueueBackend } from './queue/postgres-queue-backend.js';
import { readOrCreateSecretFile } from './secrets/secret-file.js';
import { SecretKeys } from './secrets/secret-keys.js';

/** A platform that holds a database, until it is closed. */
export interface OpenPlatform extends StoredPlatform {
  /** null: the database is the operator's. */
  embedded: EmbeddedPostgres | null;
  close(): Promise<void>;
}

/** How long a database that is itself just starting is waited for. */
const PATIENCE_MS = 30_000;

/** Opens the database, the embedded one when none is given; migrates nothing. */
export async function openPlatform(bare: Platform, schemas: EntitySchema[]): Promise<OpenPlatform> {
  const { config } = bare;
  const embedded = config.databaseUrl === null ? await openEmbedded(bare) : null;
  const url = embedded?.url ?? config.databaseUrl ?? '';
  const dataSource = createDataSource(url, schemas);
  try {
    const secrets = new SecretKeys(config.secretKeys ?? [await ownSecretKey(config.dataDir)]);
    await connect(dataSource, bare);
    const work = new PostgresUnitOfWork(dataSource);
    const queue = await openQueue(bare, url);
    return {
      ...bare,
      dataSource,
      secrets,
      work,
      outbox: new Outbox(work, bare.clock),
      queue,
      embedded,
      close: async () => {
        await queue.close();
        await dataSource.destroy();
        await embedded?.close();
      },
    };
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}

async function openEmbedded({ config, log }: Platform): Promise<EmbeddedPostgres> {
  await mkdir(config.dataDir, { recursive: true });
  return EmbeddedPostgres.open({
    dataDir: config.dataDir,
    log: (line) => log.info({ part: 'embedded database' }, line),
  });
}

/** Dials nothing: the command line has a queue too, and seldom rings. */
async function openQueue(
  { config, clock, log, vitals }: Platform,
  databaseUrl: string,
): Promise<BullJobQueue> {
  const { redisUrl } = config;
  if (redisUrl === null) return new BullJobQueue(new PostgresQueueBackend(databaseUrl), clock, log);
  const { RedisQueueBackend } = await import('./queue/redis-queue-backend.js');
  return new BullJobQueue(new RedisQueueBackend(redisUrl, vitals, log), clock, log);
}

function ownSecretKey(dataDir: string): Promise<string> {
  return readOrCreateSecretFile(join(dataDir, 'secret-key'), () => randomBytes(32).toString('base64'));
}

async function connect(dataSource: DataSource, { clock, log }: Platform): Promise<void> {
  const giveUp = clock.monotonicMs() + PATIENCE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      await dataSource.initialize();
      return;
    } catch (error) {
      if (!isStarting(error) || clock.monotonicMs() > giveUp) throw error;
      if (attempt === 1) log.warn({}, 'the database does not answer yet; waiting for it');
      await clock.pause(500);
    }
  }
}

/** Not listening yet, its name not known yet, or "the database system is starting up" (57P03). */
function isStarting(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', '57P03'].includes(code);
}
