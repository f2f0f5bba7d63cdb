import { Controller, Get, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import autocannon from 'autocannon';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/platform/config/config.js';
import { barePlatform } from '../src/platform/open-platform.js';
import { start } from '../src/start.js';

/**
 * Requests per second of `GET /v1/verify` under a test key (guards, key look-up,
 * judging, no network), beside a bare NestJS route that returns the same body, in
 * one process and one run, in turns so that a noisy machine is noisy for both.
 *
 *     npx tsx bench/http.ts
 */
const ROUNDS = 3;
const SECONDS = 5;
const CONNECTIONS = 50;

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SECRET_KEY: randomBytes(32).toString('base64'),
  });
  const service = await start(barePlatform(config), { api: true, worker: false });
  const key = service.firstAccount?.testKey ?? '';
  const path = '/v1/verify?email=jane@example.com';
  const headers = { authorization: `Bearer ${key}` };
  const body = (await (await fetch(service.url + path, { headers })).json()) as object;
  const bare = await bareNest(body);
  const rows: { route: string; round: number; 'requests/s': number; 'p99 ms': number; failed: number }[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [route, url] of [
      ['bare Nest', bare.url],
      ['verify', service.url + path],
    ] as const) {
      const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
      const failed = result.non2xx + result.errors;
      rows.push({
        route,
        round,
        'requests/s': result.requests.average,
        'p99 ms': result.latency.p99,
        failed,
      });
    }
  }
  console.table(rows);
  await bare.app.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function bareNest(body: object): Promise<{ app: INestApplication; url: string }> {
  @Controller()
  class Bare {
    @Get()
    get(): object {
      return body;
    }
  }
  @Module({ controllers: [Bare] })
  class Root {}
  const app = await NestFactory.create(Root, { logger: false });
  await app.listen(0, '127.0.0.1');
  return { app, url: `http://127.0.0.1:${((app.getHttpServer() as Server).address() as AddressInfo).port}/` };
}

await main();
