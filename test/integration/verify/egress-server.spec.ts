import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Engine } from '../../../src/engine/engine.js';
import type { Verdict } from '../../../src/kernel/verdict.js';
import { MailServersModule } from '../../../src/modules/verification/mail-servers/mail-servers.module.js';
import { Config, readConfig } from '../../../src/platform/config/config.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import { CommandLog } from '../../../src/commands/command-log.js';
import { TelemetryModule } from '../../../src/platform/telemetry/telemetry.module.js';
import { TimeModule } from '../../../src/platform/time/time.module.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, resultsOf, workOn } from '../../support/app/bulk.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { LoopbackEgress } from '../../support/smtp/egress.js';
import { mailboxes, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';

describe('through two egresses', () => {
  let world: MailWorld;
  let egresses: LoopbackEgress[];
  let context: INestApplicationContext;
  const verdicts = new Map<string, Verdict>();

  beforeAll(async () => {
    world = await MailWorld.start();
    egresses = [await LoopbackEgress.start(world.smtp.port), await LoopbackEgress.start(world.smtp.port)];
    const config = readConfig({
      ...world.env,
      DNS_TIMEOUT_MS: '2500',
      SMTP_CONNECT_TIMEOUT_MS: '8000',
      SMTP_COMMAND_TIMEOUT_MS: '6000',
      SMTP_EGRESS: egresses.map(({ item }) => item).join(),
      EGRESS_WARMUP: 'off',
      LOG_LEVEL: 'silent',
    });
    context = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoles({ api: false, worker: false }),
        TimeModule,
        TelemetryModule.forRoot(() => new CommandLog()),
        MailServersModule,
      ],
    })
      .overrideProvider(Config)
      .useValue(config)
      .compile();
    const emails = world.expectations.map(({ email }) => email);
    const engine = context.get(Engine);
    const check = (email: string) =>
      engine.check(email, 40_000, { roleIsRisky: false }, { team: '', priority: 'list' });
    for (const verdict of await Promise.all(emails.map(check))) verdicts.set(verdict.email, verdict);
  }, 60_000);

  afterAll(async () => {
    await context.close();
    await Promise.all(egresses.map((egress) => egress.stop()));
    await world.stop();
  });

  it('every address of the mail world has the verdict that it has directly', () => {
    const expected = world.expectations.map(({ email, reason }) => [email, reason]);
    expect(expected.map(([email = '']) => [email, verdicts.get(email)?.reason])).toEqual(expected);
  });

  it('both were used, also with STARTTLS', () => {
    const used = [...verdicts.values()].map(({ smtp }) => smtp?.egress);
    expect(new Set(used.filter((name) => name !== null && name !== undefined))).toEqual(
      new Set(['egress-1', 'egress-2']),
    );
    expect(verdicts.get('jane@onlytls.mailworld')?.smtp).toMatchObject({ code: 250, tls: true });
  });
});

describe('egresses that fail in the middle of a list', () => {
  const DOMAINS = Array.from({ length: 12 }, (_, n) => `site${n}.mailworld`);
  const addresses = DOMAINS.flatMap((domain) => ['jane', 'ghost', 'joan'].map((name) => `${name}@${domain}`));
  const jane = mailboxes('jane');
  const slow: SmtpBehaviour = { ...jane, banner: { afterMs: 100, then: jane.banner as string } };
  let world: MailWorld;
  let egresses: [LoopbackEgress, LoopbackEgress];
  let app: TestApp;
  beforeAll(async () => {
    const scenes = DOMAINS.map((domain) => ({ domain, story: domain, servers: [slow], expect: {} }));
    world = await MailWorld.start({ scenes });
    egresses = [await LoopbackEgress.start(world.smtp.port), await LoopbackEgress.start(world.smtp.port)];
    app = await anApp({
      ...world.env,
      DNS_TIMEOUT_MS: '5000',
      EGRESS_WARMUP: 'off',
      SMTP_EGRESS: egresses.map(({ item }) => item).join(),
    });
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all(egresses.map((egress) => egress.stop().catch(() => undefined)));
    await world.stop();
  });

  it('lose no row and change no verdict: the other one takes their domains', async () => {
    const { liveKey } = await app.anAccount();
    const { id } = await aBulkJob(app, liveKey, addresses);
    const work = workOn(app);
    while (egresses[0].server.connections < 2) await pause(5);
    await egresses[0].stop();
    await work;
    const rows = (await resultsOf(app, liveKey, id)).filter((row) => 'reason' in row);
    expect(rows.map(({ email, reason }) => [email, reason])).toEqual(
      addresses.map((email) => [email, email.startsWith('jane') ? 'accepted_email' : 'mailbox_not_found']),
    );
  });

  it('have their password and pin in no log', () => {
    for (const secret of egresses.flatMap(({ secrets }) => secrets))
      expect(app.logged()).not.toContain(secret);
  });
});
