import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module, Req, Res } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash, randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { ERRORS } from '../../src/errors.js';
import type { Principal } from '../../src/kernel/language.js';
import { UnitOfWork } from '../../src/kernel/unit-of-work.js';
import { readConfig } from '../../src/platform/config/config.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { PostgresUnitOfWork } from '../../src/platform/database/postgres-unit-of-work.js';
import { furnish, httpServer } from '../../src/platform/http/http-server.js';
import { InSteps } from '../../src/platform/http/idempotency-key.js';
import { Post } from '../../src/platform/http/post.js';
import { IdempotencyGuard } from '../../src/platform/http/idempotency.guard.js';
import { keepAnswer } from '../../src/platform/http/idempotency.interceptor.js';
import { requestContext } from '../../src/platform/http/request-context.js';
import type { AuthenticatedRequest } from '../../src/platform/http/request-log.js';
import { bytesOf, StreamsBody } from '../../src/platform/http/streamed-body.js';
import { barePlatform } from '../../src/platform/bare-platform.js';
import { openPlatform, type OpenPlatform } from '../../src/platform/open-platform.js';
import { storedPlatformModule } from '../../src/platform/stored-platform.js';
import { aFreshDatabase } from '../support/fresh-database.js';
import { expectProblem } from '../support/problems.js';

const TEAM = 'team_steps';
/** Tells a planted handler where to fail. */
let failing: 'nowhere' | 'between units' | 'after the last unit' = 'nowhere';
const derived: string[] = [];

@Controller('v1/planted')
class PlantedController {
  constructor(private readonly work: PostgresUnitOfWork) {}

  private note(text: string): Promise<unknown> {
    return this.work.run(() => this.work.manager.query('INSERT INTO notes (text) VALUES ($1)', [text]));
  }

  @InSteps()
  @Post('steps')
  async steps(): Promise<object> {
    derived.push(requestContext()?.keyed?.derivedKey('checkout') ?? 'none');
    await this.note('first step');
    if (failing === 'between units') throw new Error('the provider is away');
    await this.note('second step');
    return { done: true };
  }

  @StreamsBody()
  @Post('stream')
  async stream(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const hash = createHash('sha256');
    for await (const chunk of bytesOf(request, 1_000)) hash.update(chunk);
    await this.note('staged');
    if (failing === 'between units') throw new Error('the disk is full');
    const answer = { id: 'job' };
    await this.work.run(async () => {
      await this.note('queued');
      reply.header('Location', '/v1/planted/job');
      await keepAnswer(reply, answer, hash.digest());
    });
    if (failing === 'after the last unit') throw new Error('the bell is broken');
    return answer;
  }
}

@Module({
  controllers: [PlantedController],
  providers: [{ provide: APP_GUARD, useClass: IdempotencyGuard }],
})
class PlantedModule {}

describe('a handler that works in several units', () => {
  let database: Awaited<ReturnType<typeof aFreshDatabase>>;
  let platform: OpenPlatform;
  let app: NestFastifyApplication;
  const send = (path: string, key: string, body: string) =>
    supertest(app.getHttpServer() as never)
      .post(`/v1/planted/${path}`)
      .set('Idempotency-Key', key)
      .type(path === 'stream' ? 'text/csv' : 'application/json')
      .send(body);
  const noted = async () => {
    const rows = await platform.dataSource.query<{ text: string }[]>('DELETE FROM notes RETURNING text');
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
    platform = await openPlatform(barePlatform(config), []);
    await migrate(platform.dataSource);
    await platform.dataSource.query('CREATE TABLE notes (text text)');
    await platform.dataSource.query(
      `INSERT INTO teams (id, name, base_tier, created_at) VALUES ($1, 'A team', 'free', now())`,
      [TEAM],
    );
    const root = { module: PlantedModule, imports: [storedPlatformModule(platform)] };
    const server = httpServer(platform);
    app = await NestFactory.create<NestFastifyApplication>(root, server, {
      bodyParser: false,
      logger: false,
    });
    server.getInstance<FastifyInstance>().addHook('onRequest', (request: AuthenticatedRequest, _, done) => {
      request.principal = { teamId: TEAM, mode: 'live' } as Principal;
      done();
    });
    await furnish(app, platform, ERRORS, []);
    expect(app.get(UnitOfWork)).toBe(platform.work);
  });
  afterAll(async () => {
    await app.close();
    await platform.close();
    await database.drop();
  });

  it('keeps what it has done when it fails, and asks a provider again under the same key', async () => {
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

  it('that streams its body stores its answer with its last unit, under the hash that it tells', async () => {
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
