import {
  Body,
  Controller,
  Get,
  HttpCode,
  HttpException,
  Module,
  Param,
  Post,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { ERRORS } from '../../../src/errors.js';
import { NotFound } from '../../../src/kernel/errors.js';
import { AccessModule } from '../../../src/modules/identity/access/access.module.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import { Config, readConfig } from '../../../src/platform/config/config.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { MailModule } from '../../../src/platform/mail/mail.module.js';
import { HttpModule } from '../../../src/platform/http/http.module.js';
import { StoredPause } from '../../../src/platform/database/pause/stored-pause.js';
import { QueueModule } from '../../../src/platform/queue/queue.module.js';
import { TelemetryModule } from '../../../src/platform/telemetry/telemetry.module.js';
import { TimeModule } from '../../../src/platform/time/time.module.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { Deprecated } from '../../../src/platform/http/request/deprecated.js';
import { Public } from '../../../src/platform/http/request/route-policy.js';
import { BodyGuard } from '../../../src/platform/http/body/body.guard.js';
import { Operation } from '../../../src/platform/http/openapi/operation.js';
import { NextPageInterceptor } from '../../../src/platform/http/paging/cursor.js';
import {
  BoundedExpressAdapter,
  configureApp,
  NEST_OPTIONS,
} from '../../../src/platform/http/configure-app.js';
import { Text, Texts } from '../../../src/platform/http/validation/fields.js';
import { PrometheusMeter } from '../../../src/platform/telemetry/prometheus-meter.js';
import { Log } from '../../../src/platform/telemetry/log.js';
import { createLog, NestLog } from '../../../src/platform/telemetry/pino-log.js';
import { SCHEMAS } from '../../../src/modules/schema.js';

class Note {
  @Text({ max: 100_000 })
  text: string;

  @Texts({ optional: true, maxItems: 10_000, maxLength: 100_000, message: 'Send texts.' })
  tags?: string[];
}

class Page {
  @Text({ optional: true })
  limit?: string;
}

/** An address in the error message of a test route, like a bound parameter in a driver's message. */
export const QUOTED_ADDRESS = 'jane.doe@private.example';

@Controller('planted')
class PlantedController {
  @Public()
  @Get()
  list(@Query() page: Page): object {
    return { ...page };
  }

  @Public()
  @UseGuards(BodyGuard)
  @Post()
  @HttpCode(200)
  add(@Body() note: Note): object {
    return { length: note.text.length };
  }

  @Post('closed')
  addClosed(@Body() note: Note): object {
    return note;
  }

  /** Accepts any JSON, to test checks before validation. */
  @Public()
  @UseGuards(BodyGuard)
  @Post('anything')
  @HttpCode(200)
  take(@Body() body: unknown): object {
    return { body };
  }

  @Public()
  @Get('things/:id')
  one(@Param('id') id: string): object {
    return { id };
  }

  @Public()
  @Get('fault')
  fail(): never {
    throw new Error(`duplicate key: (email)=(${QUOTED_ADDRESS}) already exists`);
  }

  @Public()
  @Deprecated({ since: '2026-11-26', sunset: '2027-05-31', link: '/docs#deprecated' })
  @UseInterceptors(new NextPageInterceptor())
  @Operation('oldThings', 'Things', 'In the old form.')
  @Get('old')
  listOld(): object {
    return { data: [], next_cursor: 'c' };
  }

  @Public()
  @Operation('olderThing', 'A thing')
  @Deprecated({ since: '2026-11-26', link: 'https://rcpt.example/changes' })
  @Get('old/:id')
  oldOne(@Param('id') id: string): object {
    if (id === 'missing') throw new NotFound('There is no such thing.');
    return { id };
  }

  /** Throws an exception of the framework. */
  @Public()
  @Get('refusals/:status')
  refuse(@Param('status') status: string): never {
    throw new HttpException(`Cannot GET /?email=${QUOTED_ADDRESS}`, Number(status));
  }

  /** Throws the error of a foreign key violation. */
  @Public()
  @Get('references/:id')
  refer(@Query('missing') missing: string): never {
    const detail = `Key (thing_id)=(${missing}) is not present in table "things".`;
    throw Object.assign(new Error('violates foreign key constraint'), { code: '23503', detail });
  }

  @Public()
  @Get('thrown-text')
  failWithoutError(): never {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- libraries do
    throw `no such mailbox: ${QUOTED_ADDRESS}`;
  }
}

@Module({ imports: [AccessModule], controllers: [PlantedController] })
class PlantedModule {}

export interface PlantedApp {
  url: string;
  port: number;
  server: Server;
  /** The log so far. */
  logged(): string;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * The real HTTP server and guards with test routes. The database is not
 * connected: queries fail.
 */
export async function aPlantedApp(): Promise<PlantedApp> {
  const config = readConfig({
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
    SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'debug',
  });
  const sink = new PassThrough();
  let log = '';
  sink.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const dataSource = createDataSource(config.databaseUrl ?? '', SCHEMAS);
  const module = await Test.createTestingModule({
    imports: [
      ConfigModule.forRoles({ api: true, worker: false }),
      TimeModule,
      TelemetryModule.forRoot(),
      DatabaseModule.forRoot(SCHEMAS, 'run'),
      QueueModule.forRoot(),
      MailModule,
      HttpModule,
      PlantedModule,
    ],
  })
    .overrideProvider(Config)
    .useValue(config)
    .overrideProvider(Log)
    .useValue(createLog(config.logLevel, sink))
    .overrideProvider(DataSource)
    .useValue(dataSource)
    // There is no database from which it could be read.
    .overrideProvider(StoredPause)
    .useValue({})
    .compile();
  const app = module.createNestApplication<NestExpressApplication>(new BoundedExpressAdapter(), {
    ...NEST_OPTIONS,
    logger: false,
  });
  app.useLogger(new NestLog(app.get(Log)));
  await configureApp(app, { errors: ERRORS, events: [], tags: [] });
  await app.listen(0, '127.0.0.1');
  const server = app.getHttpServer();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    server,
    logged: () => log,
    metrics: async () => (await app.get(PrometheusMeter).expose()).toString(),
    stop: async () => {
      server.closeAllConnections();
      await app.close();
    },
  };
}
