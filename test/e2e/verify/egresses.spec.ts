import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { EgressReporter } from '../../../src/engine/egress/adapters/egress-reporter.js';
import { egressOrder } from '../../../src/engine/egress/egress-choice.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, resultsOf, workOn } from '../../support/app/bulk.js';
import type { MailScene } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { scrape } from '../../support/app/samples.js';
import {
  mailboxes,
  recipients,
  type Offering,
  type SmtpBehaviour,
} from '../../support/smtp/smtp-behaviours.js';
import { SocksServer } from '../../support/smtp/socks-server.js';

const PASSWORD = 'hunter2-egress';
const BOUND = '127.0.0.77';
const DIRECT = 'direct';
const BIND = 'egress-2';
const IPV6 = 'egress-3';
const PROXY = 'osaka';
const KEYS: Record<string, string> = { [BIND]: `bind:${BOUND}`, [IPV6]: 'bind:[::1]' };
const NAMES = [DIRECT, BIND, IPV6, PROXY].map((name) => ({ name, key: KEYS[name] ?? name }));

/** Domains with this first egress, and with this second one if it is given. */
const domainsOf = (first: string, second?: string) =>
  Array.from({ length: 100 }, (_, n) => `site${n}.mailworld`).filter((domain) => {
    const [one, two] = egressOrder(domain, NAMES);
    return one?.name === first && (second === undefined || two?.name === second);
  });
const [OF_DIRECT = ''] = domainsOf(DIRECT, PROXY);
const [OF_BIND = ''] = domainsOf(BIND);
const [OF_IPV6 = ''] = domainsOf(IPV6, BIND);
const [ONCE_REFUSED = ''] = domainsOf(BIND, DIRECT).filter((domain) => domain !== OF_BIND);
const [REFUSING = ''] = domainsOf(PROXY, BIND);
/** Domains of an attacker. */
const HOSTILE = domainsOf(DIRECT)
  .filter((domain) => domain !== OF_DIRECT)
  .slice(0, 8);
const LISTED = domainsOf(PROXY)
  .filter((domain) => domain !== REFUSING)
  .slice(0, 8);

/** Refuses the clients that greet with one of these names. */
function refusing(behaviour: SmtpBehaviour, isRefused: (client: string) => boolean): SmtpBehaviour {
  const mail = (offer: Offering) =>
    isRefused(offer.client) ? '554 5.7.1 Your IP address is blocked' : behaviour.mail(offer);
  return { ...behaviour, mail };
}

const BLOCKED = '550 5.7.1 Client host blocked using Spamhaus';
const jane = mailboxes('jane');
const slow: SmtpBehaviour = { ...jane, banner: { afterMs: 100, then: jane.banner as string } };
const scene = (domain: string, server: SmtpBehaviour): MailScene => ({
  domain,
  story: domain,
  servers: [server],
  expect: {},
});

let world: MailWorld;
let proxy: SocksServer;
let proxyPort: number;
let app: TestApp;
let account: NewAccount;
let answers: ResponseValidator;
const published: string[] = [];

beforeAll(async () => {
  const plain = [OF_DIRECT, OF_BIND, OF_IPV6].map((domain) => scene(domain, jane));
  const once = scene(
    ONCE_REFUSED,
    refusing(jane, (client) => client === 'bound.egress.test'),
  );
  const scenes = [
    ...plain,
    once,
    scene(
      REFUSING,
      refusing(jane, () => true),
    ),
    ...LISTED.map((domain) => scene(domain, slow)),
    ...HOSTILE.map((domain) => scene(domain, recipients({}, BLOCKED))),
    { ...scene('new.mailworld', jane), hosts: ['new-mailworld.mail.protection.outlook.com'] },
    {
      ...scene('evil.mailworld', jane),
      servers: [recipients({}, BLOCKED), jane],
      hosts: ['mx.evil.mailworld', 'evil-mailworld.mail.protection.outlook.com'],
    },
  ];
  world = await MailWorld.start({ scenes });
  proxy = await SocksServer.start({ account: { username: 'rcpt', password: PASSWORD } });
  proxyPort = proxy.port;
  app = await anApp({
    ...world.env,
    DNS_TIMEOUT_MS: '5000',
    EGRESS_WARMUP: 'microsoft:1',
    SMTP_EGRESS: [
      'direct;helo=direct.egress.test',
      `bind:${BOUND};helo=bound.egress.test;from=probe@sender.test`,
      'bind:[::1]',
      `socks5://rcpt:${PASSWORD}@${proxy.host}:${proxy.port};name=${PROXY};helo=proxy.egress.test`,
    ].join(),
  });
  account = await app.anAccount();
  answers = await ResponseValidator.published(app);
});
afterEach(async () => {
  published.push((await app.get('/readyz')).text, (await app.get('/metrics')).text);
});
afterAll(async () => {
  await app.stop();
  await proxy.stop();
  await world.stop();
});

const verify = async (email: string): Promise<VerdictResponse> => {
  const answer = await app.get(`/v1/verify?email=${email}`, account.liveKey);
  expect(answer.status).toBe(200);
  answers.expect('GET', '/v1/verify', answer);
  published.push(answer.text);
  return answer.body as VerdictResponse;
};
const metric = async (series: string) => (await scrape(app)).get(series);
const logLines = (pattern: RegExp) =>
  app
    .logged()
    .split('\n')
    .filter((line) => pattern.test(line)).length;
const ready = async () => (await app.get('/readyz')).body as { checks: object; reasons: object };

describe('a domain is probed', () => {
  it('through the same egress every time, with its address, EHLO name and sender', async () => {
    for (const name of ['jane', 'ghost', 'joan'])
      expect((await verify(`${name}@${OF_BIND}`)).smtp).toMatchObject({ egress: BIND, attempts: 1 });
    const server = world.server(OF_BIND);
    expect(new Set(server.clients)).toEqual(new Set([BOUND]));
    expect(new Set(server.commandsOf('EHLO'))).toEqual(new Set(['EHLO bound.egress.test']));
    expect(new Set(server.commandsOf('MAIL'))).toEqual(new Set(['MAIL FROM:<probe@sender.test>']));
    expect((await verify(`jane@${OF_DIRECT}`)).smtp).toMatchObject({ egress: DIRECT });
    expect(world.server(OF_DIRECT).commandsOf('MAIL')[0]).toBe('MAIL FROM:<verify@direct.egress.test>');
  });

  it('through the next one, when its egress has no address of the server’s family', async () => {
    expect((await verify(`jane@${OF_IPV6}`)).smtp).toMatchObject({ egress: BIND });
    expect(await metric(`rcpt_egress_probes_total{egress="${IPV6}",outcome="no_route"}`)).toBe(1);
  });

  it('through the next one, when it refuses its egress, before the verdict is sender_blocked', async () => {
    expect(await verify(`ghost@${ONCE_REFUSED}`)).toMatchObject({
      reason: 'mailbox_not_found',
      smtp: { egress: DIRECT, attempts: 2 },
      retry_after: null,
    });
    expect(await metric(`rcpt_egress_probes_total{egress="${BIND}",outcome="rejected"}`)).toBe(1);
  });

  it('through three of them, when it refuses all', async () => {
    const { smtp, ...verdict } = await verify(`jane@${REFUSING}`);
    expect(verdict).toMatchObject({ reason: 'sender_blocked', retry_after: expect.any(Number) });
    expect(NAMES.map(({ name }) => name)).toContain(smtp?.egress);
  });
});

describe('an egress that eight domains of one team refuse', () => {
  it('is paused for that team, and reported neither as degraded nor as paused', async () => {
    const attacker = await app.anAccount();
    for (const domain of HOSTILE) await app.get(`/v1/verify?email=jane@${domain}`, attacker.liveKey);
    expect(await metric('rcpt_circuit_breakers_open{scope="egress"}')).toBeGreaterThan(0);
    expect(await ready()).toMatchObject({ checks: { egress: 'ok', mail_servers: 'ok' } });
    expect(await metric(`rcpt_egress_paused{egress="${DIRECT}",cause="rejected"}`)).toBe(0);
    expect(await metric(`rcpt_egress_pause_seconds{egress="${DIRECT}"}`)).toBe(0);
  });
});

describe('new egresses', () => {
  const ceilings = async () =>
    [...(await scrape(app))].filter(([name]) => /^rcpt_egress_warmup_probes/.test(name));

  it('are not charged for the provider behind a hostile server that they dial instead', async () => {
    const attacker = await app.anAccount();
    for (const name of ['jane', 'ghost', 'joan']) {
      const answer = await app.get(`/v1/verify?email=${name}@evil.mailworld`, attacker.liveKey);
      expect(answer.body).toMatchObject({ reason: 'sender_blocked', smtp: { mx_host: 'mx.evil.mailworld' } });
    }
    expect(world.server('evil.mailworld', 1).commandsOf('EHLO')).toEqual([]);
    expect(await ceilings()).toEqual([]);
  });

  it('probe a large provider up to their ceiling; then the verdict is unknown, rechecked later and free', async () => {
    for (const name of ['jane', 'ghost', 'joan'])
      expect((await verify(`${name}@new.mailworld`)).smtp).toMatchObject({ attempts: 1 });
    const server = world.server('new.mailworld');
    const before = server.commandsOf('RCPT').length;
    expect(await verify('jack@new.mailworld')).toMatchObject({
      status: 'unknown',
      reason: 'sender_blocked',
      smtp: { attempts: 0, category: 'sender_blocked', rule: 'egress.warmup', egress: null, mx_host: null },
      retry_after: 300,
    });
    expect(server.commandsOf('RCPT')).toHaveLength(before);
    const series = `rcpt_egress_warmup_probes{egress="${BIND}",provider="microsoft",value="ceiling"}`;
    expect(await metric(series)).toBe(1);
  });
});

describe('a proxy that fails in the middle of a list', () => {
  it('changes no verdict: the other egresses take its domains', async () => {
    const addresses = LISTED.flatMap((domain) =>
      ['jane', 'ghost', 'joan'].map((name) => `${name}@${domain}`),
    );
    const { id } = await aBulkJob(app, account.liveKey, addresses);
    const before = proxy.requests.length;
    const work = workOn(app);
    await proxy.until(({ requests }) => requests.length >= before + 4);
    await proxy.stop();
    await work;
    const rows = (await resultsOf(app, account.liveKey, id)).filter((row) => 'smtp' in row);
    published.push(JSON.stringify(rows));
    expect(rows.map(({ email, reason }) => [email, reason])).toEqual(
      addresses.map((email) => [email, email.startsWith('jane') ? 'accepted_email' : 'mailbox_not_found']),
    );
    // The proxy had answered some, and others have taken over.
    expect(new Set(rows.map(({ smtp }) => smtp?.egress)).size).toBeGreaterThan(1);
    expect(rows.every(({ smtp }) => [DIRECT, BIND, PROXY].includes(smtp?.egress ?? ''))).toBe(true);
  });

  it('is reported by name, also once in the log, and is paused', async () => {
    app.service.app.get(EgressReporter).logChanges();
    app.service.app.get(EgressReporter).logChanges();
    expect(logLines(/"egress":"osaka","cause":"unreachable".*osaka does not work/)).toBe(1);
    const { checks, reasons } = await ready();
    expect(checks).toMatchObject({ egress: 'degraded' });
    expect(reasons).toMatchObject({ egress: expect.stringMatching(/^osaka does not work: its proxy fails/) });
    expect(await metric(`rcpt_egress_paused{egress="${PROXY}",cause="unreachable"}`)).toBe(1);
    expect(await metric(`rcpt_egress_paused{egress="${DIRECT}",cause="unreachable"}`)).toBe(0);
    expect(await metric(`rcpt_egress_pause_seconds{egress="${PROXY}"}`)).toBeGreaterThan(0);
  });

  it('is used again after its pause, once it works', async () => {
    const [domain = ''] = LISTED;
    proxy = await SocksServer.start({ account: { username: 'rcpt', password: PASSWORD } }, proxyPort);
    expect((await verify(`jill@${domain}`)).smtp?.egress).not.toBe(PROXY);
    app.clock.advance(15_000);
    expect((await verify(`jack@${domain}`)).smtp?.egress).toBe(PROXY);
    expect((await ready()).checks).toMatchObject({ egress: 'ok' });
    app.service.app.get(EgressReporter).logChanges();
    expect(logLines(/osaka is used again/)).toBe(1);
  });
});

it('the password and the address of an egress are in no log, verdict, metric or health report', async () => {
  expect(published.length).toBeGreaterThan(10);
  for (const text of [...published, app.logged()])
    for (const secret of [PASSWORD, BOUND, `${proxy.host}:${proxyPort}`]) expect(text).not.toContain(secret);
});
