import { Global, Module, type DynamicModule, type InjectionToken } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog } from '../kernel/audit-log.js';
import { Clock } from '../kernel/clock.js';
import { Events } from '../kernel/events.js';
import { JobQueue } from '../kernel/job-queue.js';
import { Lifecycle } from '../kernel/lifecycle.js';
import { Meter } from '../kernel/meter.js';
import { Vitals } from '../kernel/vitals.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { Config } from './config/config.js';
import { IdempotencyMarks } from './database/idempotency-marks.js';
import { Outbox } from './database/outbox.js';
import { PostgresAuditLog } from './database/postgres-audit-log.js';
import { PostgresUnitOfWork } from './database/postgres-unit-of-work.js';
import { Cursors } from './http/cursor.js';
import type { BullJobQueue } from './queue/bull-job-queue.js';
import { SecretKeys } from './secrets/secret-keys.js';
import { Log } from './telemetry/log.js';
import { PrometheusMeter } from './telemetry/prometheus-meter.js';

/** What one process has once: made before the framework starts, ended after it. */
export interface Platform {
  config: Config;
  clock: Clock;
  log: Log;
  lifecycle: Lifecycle;
  vitals: Vitals;
  meter: PrometheusMeter;
}

/** A platform with a database, which all but the command line's `verify` has. */
export interface StoredPlatform extends Platform {
  dataSource: DataSource;
  work: PostgresUnitOfWork;
  secrets: SecretKeys;
  outbox: Outbox;
  queue: BullJobQueue;
}

/** Hands the platform's parts to whoever asks for them by their class. */
@Global()
@Module({})
export class PlatformModule {
  static of(platform: Platform | StoredPlatform): DynamicModule {
    const parts: [InjectionToken, unknown][] = [
      [Config, platform.config],
      [Clock, platform.clock],
      [Log, platform.log],
      [Lifecycle, platform.lifecycle],
      [Vitals, platform.vitals],
      [Meter, platform.meter],
      [PrometheusMeter, platform.meter],
    ];
    if ('dataSource' in platform) {
      parts.push(
        [DataSource, platform.dataSource],
        [PostgresUnitOfWork, platform.work],
        [UnitOfWork, platform.work],
        [SecretKeys, platform.secrets],
        [Cursors, new Cursors(platform.secrets)],
        [IdempotencyMarks, new IdempotencyMarks(platform.work, platform.secrets)],
        [Outbox, platform.outbox],
        [Events, platform.outbox],
        [JobQueue, platform.queue],
        [AuditLog, new PostgresAuditLog(platform.work, platform.clock)],
      );
    }
    const providers = parts.map(([provide, useValue]) => ({ provide, useValue }));
    return { module: PlatformModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
