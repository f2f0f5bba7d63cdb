import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { sweep } from '../../support/database/growing-tables.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { recipients } from '../../support/smtp/smtp-behaviours.js';

/** Longer than a process caches a team. */
const UNTIL_SEEN = 5_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A live key, the whole service, and the mail world. */
describe('GET /v1/verify with a live key', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  let answers: ResponseValidator;

  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp(world.env);
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    account = await app.anAccount();
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const verify = async (email: string, more = '', key = account.liveKey): Promise<VerdictResponse> => {
    const answer = await app.get(`/v1/verify?email=${encodeURIComponent(email)}${more}`, key);
    expect(answer.status).toBe(200);
    answers.expect('GET', '/v1/verify', answer);
    return answer.body as VerdictResponse;
  };
  const asked = (domain: string) => world.server(domain).commandsOf('RCPT').length;
  const facts = () =>
    app.service.app.get(DataSource).query<{ facts: unknown }[]>('SELECT facts FROM address_facts');

  it('returns the verdict with the evidence of a real SMTP session', async () => {
    expect(await verify('ghost@plain.mailworld')).toMatchObject({
      email: 'ghost@plain.mailworld',
      normalized_email: 'ghost@plain.mailworld',
      domain: 'plain.mailworld',
      status: 'undeliverable',
      reason: 'mailbox_not_found',
      score: 0,
      dns: {
        mx_found: true,
        implicit_mx: false,
        null_mx: false,
        mx: [{ host: 'mx1.plain.mailworld', preference: 10 }],
      },
      smtp: { stage: 'rcpt', code: 550, enhanced_code: '5.1.1', category: 'mailbox_not_found', tls: false },
      policy: { decision: 'reject', rule: null },
      cached: false,
      age_seconds: 0,
    });
  });

  it('serves stored facts, with their age, until they expire', async () => {
    expect(await verify('jane@lines.mailworld')).toMatchObject({ reason: 'accepted_email', cached: false });
    const before = asked('lines.mailworld');
    app.clock.advance(90 * MINUTE);
    expect(await verify('JANE@Lines.MailWorld')).toMatchObject({
      email: 'JANE@Lines.MailWorld',
      reason: 'accepted_email',
      cached: true,
      age_seconds: 5_400,
    });
    expect(asked('lines.mailworld')).toBe(before);
    app.clock.advance(7 * DAY);
    expect(await verify('jane@lines.mailworld')).toMatchObject({ cached: false, age_seconds: 0 });
  });

  it('keeps the facts of a risky verdict for one day, and those of an unknown one not at all', async () => {
    await verify('jane@everybody.mailworld');
    expect((await verify('jane@everybody.mailworld')).cached).toBe(true);
    app.clock.advance(DAY);
    expect((await verify('jane@everybody.mailworld')).cached).toBe(false);
    await verify('ghost@later.mailworld');
    expect((await verify('ghost@later.mailworld')).cached).toBe(false);
  });

  it('does not share facts between teams', async () => {
    await verify('jane@helo.mailworld');
    const other = await app.anAccount();
    expect((await verify('jane@helo.mailworld', '', other.liveKey)).cached).toBe(false);
  });

  it('probes once a day whether a domain is catch-all', async () => {
    const server = world.server('teaser.mailworld');
    // At the end of a session, the server may be asked again for an address that it has accepted.
    const random = () => server.commandsOf('RCPT').filter((line) => !line.includes('<jane@'));
    await verify('jane@teaser.mailworld');
    expect(random()).toHaveLength(1);
    await verify('jane@teaser.mailworld', '', (await app.anAccount()).liveKey);
    expect(random()).toHaveLength(1);
    app.clock.advance(DAY);
    await verify('jane@teaser.mailworld', '', (await app.anAccount()).liveKey);
    expect(random()).toHaveLength(2);
  });

  it('refresh probes an address again, but at most once a minute', async () => {
    await verify('jane@tls.mailworld');
    expect((await verify('jane@tls.mailworld', '&refresh=true')).cached).toBe(true);
    app.clock.advance(MINUTE);
    expect((await verify('jane@tls.mailworld', '&refresh=true')).cached).toBe(false);
  });

  it('an unknown result of a refresh keeps the older fact', async () => {
    const server = world.server('fullname.mailworld');
    const { behaviour } = server;
    await verify('jane@fullname.mailworld');
    app.clock.advance(MINUTE);
    server.behaviour = recipients({}, '451 4.3.0 Temporary failure');
    expect((await verify('jane@fullname.mailworld', '&refresh=1')).reason).toBe('temporary_failure');
    expect(await verify('jane@fullname.mailworld')).toMatchObject({ reason: 'accepted_email', cached: true });
    server.behaviour = behaviour;
  });

  it('judges stored facts by the current rules of the team', async () => {
    world.server('plain.mailworld').behaviour = recipients({ sales: '250 2.1.5 Ok' });
    expect(await verify('sales@plain.mailworld')).toMatchObject({ reason: 'accepted_email', score: 85 });
    await app.service.app
      .get(DataSource)
      .query('UPDATE teams SET role_is_risky = true WHERE id = $1', [account.team.id]);
    app.clock.advance(UNTIL_SEEN);
    expect(await verify('sales@plain.mailworld')).toMatchObject({
      status: 'risky',
      reason: 'role',
      cached: true,
    });
  });

  it('stores nothing for a team with zero retention, and nothing longer than its retention', async () => {
    const retain = async (days: number) => {
      const { id } = account.team;
      await app.service.app
        .get(DataSource)
        .query('UPDATE teams SET retention_days = $2 WHERE id = $1', [id, days]);
      app.clock.advance(UNTIL_SEEN);
    };
    await retain(0);
    await verify('ghost@exim.mailworld');
    expect((await verify('ghost@exim.mailworld')).cached).toBe(false);
    await retain(2);
    await verify('ghost@exim.mailworld');
    app.clock.advance(DAY);
    expect((await verify('ghost@exim.mailworld')).cached).toBe(true);
    await retain(1);
    expect((await verify('ghost@exim.mailworld')).cached).toBe(false);
  });

  it('stores no address: only a keyed hash, and replies without quoted addresses', async () => {
    await verify('ghost@sendmail.mailworld');
    await verify('ghost@opensmtpd.mailworld');
    const rows = JSON.stringify(await facts());
    expect(rows).toContain('User unknown');
    expect(rows).not.toContain('ghost');
  });

  it('the sweep deletes expired facts only', async () => {
    await verify('jane@everybody.mailworld');
    await verify('jane@latetls.mailworld');
    app.clock.advance(DAY + MINUTE);
    const before = (await facts()).length;
    const erased = await sweep(app, 'delete expired facts');
    expect(erased).toBeGreaterThan(0);
    expect((await facts()).length).toBe(before - erased);
    expect((await verify('jane@latetls.mailworld')).cached).toBe(true);
  });

  it('a conclusive DNS answer is served from the cache with its age, with or without refresh', async () => {
    expect(await verify('jane@nomail.mailworld')).toMatchObject({ reason: 'null_mx', cached: false });
    app.clock.advance(MINUTE);
    expect(await verify('jane@nomail.mailworld', '&refresh=true')).toMatchObject({
      cached: true,
      age_seconds: 60,
    });
  });

  it('ends at the caller’s timeout, and reports the stage', async () => {
    expect(await verify('jane@silent.mailworld', '&timeout=1')).toMatchObject({
      status: 'unknown',
      reason: 'timeout',
      smtp: { stage: 'banner', code: null },
    });
  });

  it('logs no address and no key', () => {
    const log = app.logged();
    expect(log).toContain('/v1/verify');
    for (const secret of ['jane', 'ghost', 'rcpt_live_', 'rcpt_test_', 'sales'])
      expect(log).not.toContain(secret);
  });
});
