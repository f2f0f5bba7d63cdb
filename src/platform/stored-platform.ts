import type { DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog } from '../kernel/audit-log.js';
import { Events } from '../kernel/events.js';
import { JobQueue } from '../kernel/job-queue.js';
import { OutgoingMails } from '../kernel/outgoing-mails.js';
import { UnitOfWork } from '../kernel/unit-of-work.js';
import { AuditRetention } from './database/audit-retention.js';
import { Erasures } from './database/erasures.js';
import { IdempotencyMarks } from './database/idempotency-marks.js';
import { Outbox } from './database/outbox.js';
import { PostgresAuditLog } from './database/postgres-audit-log.js';
import { PostgresUnitOfWork } from './database/postgres-unit-of-work.js';
import { Cursors } from './http/cursor.js';
import { PostgresMailQueue } from './mail/postgres-mail-queue.js';
import { SmtpMailer } from './mail/smtp-mailer.js';
import { PlatformModule, type Platform } from './platform.module.js';
import type { BullJobQueue } from './queue/bull-job-queue.js';
import { SecretKeys } from './secrets/secret-keys.js';

/** A platform with a database, which all but the command line's `verify` and its like have. */
export interface StoredPlatform extends Platform {
  dataSource: DataSource;
  work: PostgresUnitOfWork;
  secrets: SecretKeys;
  outbox: Outbox;
  queue: BullJobQueue;
}

/** The platform's module with the parts that need a database. */
export function storedPlatformModule(platform: StoredPlatform): DynamicModule {
  const { config, dataSource, work, secrets, outbox, queue, clock, log } = platform;
  const mails = new PostgresMailQueue(work, secrets, new SmtpMailer(config.inviteMail), clock, log);
  return PlatformModule.of(platform, [
    [DataSource, dataSource],
    [PostgresUnitOfWork, work],
    [UnitOfWork, work],
    [SecretKeys, secrets],
    [Cursors, new Cursors(secrets)],
    [IdempotencyMarks, new IdempotencyMarks(work, secrets)],
    [Outbox, outbox],
    [Events, outbox],
    [JobQueue, queue],
    [PostgresMailQueue, mails],
    [OutgoingMails, mails],
    [AuditLog, new PostgresAuditLog(work, clock)],
    [AuditRetention, new AuditRetention(work, platform.config.auditRetentionDays)],
    [Erasures, new Erasures(work, platform.lifecycle)],
  ]);
}
