import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.js';
import { MailWorld } from '../test/support/mail/mail-world.js';
import { WITH_TYPESCRIPT } from '../test/support/processes/with-typescript.js';
import { autocannon } from './load.js';

/**
 * Measures requests per second of `GET /v1/verify` with all guards (key, role,
 * rate, tier, quota), and of a bare NestJS route that returns the same body. Both
 * run as separate processes and alternate, so that noise affects both; the second table
 * has the medians and their ratio to the bare route. The team has a rate limit and a
 * quota that are not reached. PostgreSQL counts the transactions. Takes 75 s.
 *
 *     npm run build && npm run ts bench/http.ts
 */
const ROUNDS = 3;
const SECONDS = 3;
/** Not measured: code is compiled. */
const WARM_UP_SECONDS = 1.5;
const CONNECTIONS = 50;
const INCLUDES = { verify: true, refresh: true, bulk_limit: 1_000, retention_days: 7 };
const RATE = { per_second: 1_000_000, burst: 1_000_000 };
const TIERS = {
  suspended: { ...INCLUDES, per_day: 0, rate: RATE },
  free: { ...INCLUDES, per_day: 100, rate: RATE },
  limited: { ...INCLUDES, per_day: 100_000_000, rate: RATE },
  unlimited: { ...INCLUDES, per_day: null, rate: null },
};
/** PostgreSQL updates its statistics at most once a second. */
const COUNTERS_SETTLE_MS = 2_000;

async function compare(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  await chmod(dataDir, 0o755);
  const world = await MailWorld.start();
  const tiersFile = join(dataDir, 'tiers.json');
  await writeFile(tiersFile, JSON.stringify(TIERS));
  const env = {
    ...world.env,
    DATA_DIR: dataDir,
    TIERS_FILE: tiersFile,
    PORT: '0',
    PUBLIC_URL: 'https://rcpt.example',
    LOG_LEVEL: 'silent',
  };
  const service = await launch(['dist/main.js', '--api'], env, /ready on (\S+)/);
  const database = await EmbeddedPostgres.open({ dataDir, log: () => undefined });
  await query(database.url, `UPDATE teams SET base_tier = 'limited'`);
  const key = (mode: string) => new RegExp(`rcpt_${mode}_\\w+`).exec(service.said)?.[0] ?? '';
  const at = (email: string) => `${service.answer}/v1/verify?email=${email}`;
  const remembered = at('jane@plain.mailworld');
  const body = await (await fetch(remembered, bearer(key('live')))).text();
  const bare = await launch([...WITH_TYPESCRIPT, import.meta.filename, 'bare', body], {}, /bare on (\S+)/);
  const contestants: [route: string, url: string, key: string][] = [
    ['bare Nest', bare.answer, ''],
    ['verify, remembered', remembered, key('live')],
    ['verify, no address', at('nobody'), key('live')],
    ['verify, test key', at('jane@example.com'), key('test')],
  ];

  const rows: { route: string; 'requests/s': number; [column: string]: number | string }[] = [];
  for (const [, url, secret] of contestants)
    await autocannon({ url, ...bearer(secret), connections: CONNECTIONS, duration: WARM_UP_SECONDS });
  let counted = await transactions(database.url);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [route, url, secret] of contestants) {
      const options = { url, ...bearer(secret), connections: CONNECTIONS, duration: SECONDS };
      const { requests, latency, non2xx, errors } = await autocannon(options);
      const before = counted;
      // The bare route has no database.
      if (secret !== '') counted = await transactions(database.url);
      rows.push({
        route,
        round,
        'requests/s': Math.round(requests.average),
        'p99 ms': latency.p99,
        'transactions/request': ((counted - before) / requests.total).toFixed(3),
        failed: non2xx + errors,
      });
    }
  }
  console.table(rows);
  const rates = contestants.map(([route]) =>
    median(rows.filter((row) => row.route === route).map((row) => row['requests/s'])),
  );
  console.table(
    contestants.map(([route], n) => ({
      route,
      'median requests/s': rates[n],
      'ratio to bare': (rates[n]! / rates[0]!).toFixed(2),
    })),
  );
  await database.close();
  await Promise.all([end(service.process), end(bare.process), world.stop()]);
  await rm(dataDir, { recursive: true, force: true });
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

function bearer(key: string): { headers: Record<string, string> } {
  return { headers: key === '' ? {} : { authorization: `Bearer ${key}` } };
}

async function transactions(url: string): Promise<number> {
  await pause(COUNTERS_SETTLE_MS);
  const statement =
    'SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()';
  const [row] = await query<{ n: string }>(url, statement);
  return Number(row?.n);
}

async function query<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(statement);
  await client.end();
  return rows;
}

/** Starts a program and waits for its URL. */
async function launch(args: string[], env: Record<string, string>, readiness: RegExp) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  while (!readiness.test(said)) said += String((await once(child.stdout, 'data'))[0]);
  child.stdout.resume();
  await pause(200);
  return { process: child as ChildProcess, said, answer: readiness.exec(said)?.[1] ?? '' };
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

async function serveBare(body: string): Promise<void> {
  const value = JSON.parse(body) as object;
  class Bare {
    get(): object {
      return value;
    }
  }
  class Root {}
  // Called as functions, because the compiler of the benchmark does not support decorators.
  const get = Object.getOwnPropertyDescriptor(Bare.prototype, 'get');
  if (get !== undefined) Get()(Bare.prototype, 'get', get);
  Controller()(Bare);
  Module({ controllers: [Bare] })(Root);
  const app = await NestFactory.create(Root, { logger: false });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  process.stdout.write(`bare on http://127.0.0.1:${port}/\n`);
}

if (process.argv[2] === 'bare') await serveBare(process.argv[3] ?? '{}');
else await compare();
