import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module, Post, Req, Res } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import type { Request, Response } from 'express';
import { createHash, randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { ERRORS } from '../../../src/errors.js';
import type { Principal } from '../../../src/kernel/principal.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import { Config, readConfig } from '../../../src/platform/config/config.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { HttpModule } from '../../../src/platform/http/http.module.js';
import { TelemetryModule } from '../../../src/platform/telemetry/telemetry.module.js';
import { TimeModule } from '../../../src/platform/time/time.module.js';
import { PostgresUnitOfWork } from '../../../src/platform/database/transactions/postgres-unit-of-work.js';
import {
  BoundedExpressAdapter,
  configureApp,
  NEST_OPTIONS,
} from '../../../src/platform/http/configure-app.js';
import { MultipleTransactions } from '../../../src/platform/http/idempotency/idempotency-key.js';
import { IdempotencyGuard } from '../../../src/platform/http/idempotency/idempotency.guard.js';
import { storeResponse } from '../../../src/platform/http/idempotency/idempotency.interceptor.js';
import { keyedRequests } from '../../../src/platform/http/idempotency/keyed-request.js';
import type { AuthenticatedRequest } from '../../../src/platform/http/request/request-log.js';
import { bytesOf, StreamsBody } from '../../../src/platform/http/body/streamed-body.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { expectProblem } from '../../support/http/problems.js';

const TEAM = 'team_steps';
/** Where the test handler fails. */
let failing: 'nowhere' | 'between units' | 'after the last unit' = 'nowhere';
const derived: string[] = [];

@Controller('v1/planted')
class PlantedController {
  constructor(private readonly work: PostgresUnitOfWork) {}

  private note(text: string): Promise<unknown> {
    return this.work.run(() => this.work.manager.query('INSERT INTO notes (text) VALUES ($1)', [text]));
  }

  @MultipleTransactions()
  @Post('steps')
  async steps(): Promise<object> {
    derived.push(keyedRequests.value?.derivedKey('checkout') ?? 'none');
    await this.note('first step');
    if (failing === 'between units') throw new Error('the provider is away');
    await this.note('second step');
    return { done: true };
  }

  @StreamsBody()
  @Post('stream')
  async stream(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<object> {
    const hash = createHash('sha256');
    for await (const chunk of bytesOf(request, 1_000)) hash.update(chunk);
    await this.note('staged');
    if (failing === 'between units') throw new Error('the disk is full');
    const answer = { id: 'job' };
    await this.work.run(async () => {
      await this.note('queued');
      response.setHeader('Location', '/v1/planted/job');
      await storeResponse(response, answer, hash.digest());
    });
    if (failing === 'after the last unit') throw new Error('the queue is broken');
    return answer;
  }
}

@Module({
  controllers: [PlantedController],
  providers: [{ provide: APP_GUARD, useClass: IdempotencyGuard }],
})
class PlantedModule {}

describe('a handler with several units of work', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let dataSource: DataSource;
  let app: NestExpressApplication;
  const send = (path: string, key: string, body: string) =>
    supertest(app.getHttpServer() as never)
      .post(`/v1/planted/${path}`)
      .set('Idempotency-Key', key)
      .type(path === 'stream' ? 'text/csv' : 'application/json')
      .send(body);
  const noted = async () => {
    const rows = await dataSource.query<{ text: string }[]>('DELETE FROM notes RETURNING text');
    return rows
      .flat()
      .flatMap((row) => (row as { text?: string }).text ?? [])
      .sort();
  };

  beforeAll(async () => {
    database = await aFreshDatabase();
    const config = readConfig({
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'silent',
    });
    const module = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoles({ api: true, worker: false }),
        TimeModule,
        TelemetryModule.forRoot(),
        DatabaseModule.forRoot([], 'run'),
        HttpModule,
        PlantedModule,
      ],
    })
      .overrideProvider(Config)
      .useValue(config)
      .compile();
    app = module.createNestApplication<NestExpressApplication>(new BoundedExpressAdapter(), {
      ...NEST_OPTIONS,
      logger: false,
    });
    app.use((request: AuthenticatedRequest, _: unknown, next: () => void) => {
      const caller: Partial<Principal> = { teamId: TEAM, mode: 'live', scopes: ['all'] };
      request.principal = caller as Principal;
      next();
    });
    await configureApp(app, { errors: ERRORS, events: [], tags: [] });
    dataSource = app.get(DataSource);
    await dataSource.query('CREATE TABLE notes (text text)');
    await dataSource.query(
      `INSERT INTO teams (id, name, base_tier, created_at) VALUES ($1, 'A team', 'free', now())`,
      [TEAM],
    );
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('keeps completed units when it fails, and calls a provider again with the same key', async () => {
    failing = 'between units';
    expectProblem(await send('steps', 'step by step', '{}'), 500, 'internal_error');
    expect(await noted()).toEqual(['first step']);
    failing = 'nowhere';
    expect((await send('steps', 'step by step', '{}')).body).toEqual({ done: true });
    const replay = await send('steps', 'step by step', '{}');
    expect([replay.status, replay.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(await noted()).toEqual(['first step', 'second step']);
    await send('steps', 'another', '{}');
    expect(derived).toHaveLength(3);
    expect(derived[1]).toBe(derived[0]);
    expect(derived[2]).not.toBe(derived[0]);
    await noted();
  });

  it('that streams its body stores the response with its last unit, under the hash of the body', async () => {
    failing = 'between units';
    expectProblem(await send('stream', 'list', 'email\na@example.com'), 500, 'internal_error');
    failing = 'after the last unit';
    expectProblem(await send('stream', 'list', 'email\na@example.com'), 500, 'internal_error');
    expect(await noted()).toEqual(['queued', 'staged', 'staged']);
    failing = 'nowhere';
    const replay = await send('stream', 'list', 'email\na@example.com');
    expect([replay.status, replay.headers['idempotency-replayed'], replay.body]).toEqual([
      201,
      'true',
      { id: 'job' },
    ]);
    expect(replay.headers.location).toBe('/v1/planted/job');
    expectProblem(await send('stream', 'list', 'email\nb@example.com'), 422, 'idempotency_key_reused');
    expect(await noted()).toEqual([]);
  });
});
