// The Rcpt engine for bench/engine.ts: the module that the command line uses, without HTTP and database.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLog } from '../../dist/commands/command-log.js';
import { MailServersModule } from '../../dist/modules/verification/mail-servers/mail-servers.module.js';
import { Engine, BATCH_ITEM_TIMEOUT_MS } from '../../dist/engine/engine.js';
import { mapConcurrently } from '../../dist/kernel/concurrency/map-concurrently.js';
import { ConfigModule } from '../../dist/platform/config/config.module.js';
import { TelemetryModule } from '../../dist/platform/telemetry/telemetry.module.js';
import { TimeModule } from '../../dist/platform/time/time.module.js';

class BenchModule {}

/** @param {{ dnsServer: string, smtpPort: number }} place */
export async function engineAt({ dnsServer, smtpPort }) {
  Object.assign(process.env, {
    DNS_SERVERS: dnsServer,
    SMTP_PORT: String(smtpPort),
    MX_ALLOW_CIDRS: '127.0.0.0/8',
    SMTP_HELO_NAME: 'verify.example.org',
    DATA_DIR: join(tmpdir(), 'rcpt-bench-none'),
  });
  const roles = { api: false, worker: false };
  const imports = [
    ConfigModule.forRoles(roles),
    TimeModule,
    TelemetryModule.forRoot(() => new CommandLog()),
    MailServersModule,
  ];
  const context = await NestFactory.createApplicationContext(
    { module: BenchModule, imports },
    { logger: false },
  );
  const engine = context.get(Engine);
  return async function* verdictsOf(emails, concurrency) {
    const check = (email) =>
      engine.check(email, BATCH_ITEM_TIMEOUT_MS, { roleIsRisky: false }, { team: '', priority: 'list' });
    for await (const { email, status, reason } of mapConcurrently(emails, concurrency, check))
      yield { email, status, reason };
    await context.close();
  };
}
