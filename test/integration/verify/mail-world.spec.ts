import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { MailServersModule } from '../../../src/modules/verification/mail-servers/mail-servers.module.js';
import { GREETING_TIMEOUT_FACTOR } from '../../../src/engine/smtp/protocol/smtp-session.js';
import { Engine } from '../../../src/engine/engine.js';
import type { Verdict } from '../../../src/kernel/verdict.js';
import { Config, readConfig } from '../../../src/platform/config/config.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import { CommandLog } from '../../../src/commands/command-log.js';
import { TelemetryModule } from '../../../src/platform/telemetry/telemetry.module.js';
import { TimeModule } from '../../../src/platform/time/time.module.js';
import { MAIL_SCENES } from '../../support/mail/mail-scenes.js';
import { MailWorld, type Expectation } from '../../support/mail/mail-world.js';

/** The real engine, over the network, against every server of the mail world. */
describe('in the mail world', () => {
  let world: MailWorld;
  let context: INestApplicationContext;
  const verdicts = new Map<string, Verdict>();

  beforeAll(async () => {
    world = await MailWorld.start();
    const config = readConfig({
      ...world.env,
      DNS_TIMEOUT_MS: '2500',
      SMTP_CONNECT_TIMEOUT_MS: '3000',
      SMTP_COMMAND_TIMEOUT_MS: '3000',
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
    const engine = context.get(Engine);
    const emails = world.expectations.map(({ email }) => email);
    const check = (email: string) =>
      engine.check(email, 30_000, { roleIsRisky: false }, { team: '', priority: 'list' });
    for (const verdict of await Promise.all(emails.map(check))) verdicts.set(verdict.email, verdict);
  });

  afterAll(async () => {
    await context.close();
    await world.stop();
  });

  const expectations: Expectation[] = MAIL_SCENES.flatMap(({ domain, story, expect: expected }) =>
    Object.entries(expected).map(([localPart, reason]) => ({
      email: `${localPart}@${domain}`,
      status: 'unknown',
      reason,
      story,
    })),
  );

  it.each(expectations)('$email is $reason: $story', ({ email, reason }) => {
    const verdict = verdicts.get(email);
    expect({ reason: verdict?.reason, smtp: verdict?.smtp }).toMatchObject({ reason });
  });

  it('a greeting that expects timeout takes longer than that of the default settings, as the printed command has', () => {
    const slowest = MAIL_SCENES.flatMap(({ servers = [] }) => servers.map(({ banner }) => banner)).filter(
      (banner) => typeof banner === 'object' && 'drip' in banner,
    );
    const { commandTimeoutMs } = readConfig(world.env).smtp;
    expect(slowest).toHaveLength(1);
    for (const { drip, everyMs } of slowest)
      expect(drip.length * everyMs).toBeGreaterThan(GREETING_TIMEOUT_FACTOR * commandTimeoutMs);
  });

  it('every session ends with QUIT where possible, sends no message, and uses our own sender', async () => {
    for (const { domain } of MAIL_SCENES.filter(
      ({ servers }) => servers !== undefined && servers.length > 0,
    )) {
      if (domain === 'mailinator.com' || domain === 'hostless.mailworld') continue;
      const { commands } = world.server(domain);
      expect(commands.filter((line) => /^(DATA|VRFY|EXPN|BDAT)/i.test(line))).toEqual([]);
      const senders = commands.filter((line) => /^MAIL/i.test(line));
      expect(senders.filter((line) => !line.startsWith('MAIL FROM:<verify@verify.mailworld>'))).toEqual([]);
    }
    const plain = world.server('plain.mailworld');
    await plain.until(({ openConnections }) => openConnections === 0);
    expect(plain.commandsOf('QUIT')).toHaveLength(plain.connections);
  });

  it('no mail server is dialled for a disposable domain, a null MX or a host that does not exist', () => {
    expect(world.server('mailinator.com').connections).toBe(0);
    expect(world.server('hostless.mailworld').connections).toBe(0);
  });

  it('a domain that does not exist and looks like a typing error gets a suggestion', () => {
    expect(verdicts.get('jane@gmial.com')?.didYouMean).toBe('jane@gmail.com');
    expect(verdicts.get('jane@plain.mailworld')?.didYouMean).toBeNull();
  });

  it('evidence contains the server, the stage, the reply and whether TLS was used', () => {
    expect(verdicts.get('ghost@plain.mailworld')?.smtp).toMatchObject({
      stage: 'rcpt',
      code: 550,
      enhancedCode: '5.1.1',
      category: 'mailbox_not_found',
      mxHost: 'mx1.plain.mailworld',
      attempts: 1,
      tls: false,
    });
    expect(verdicts.get('jane@onlytls.mailworld')?.smtp).toMatchObject({ code: 250, tls: true });
    expect(verdicts.get('jane@secondary.mailworld')?.smtp).toMatchObject({
      mxHost: 'mx2.secondary.mailworld',
      attempts: 2,
    });
  });
});
