import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { DoctorService } from '../../../src/modules/operation/doctor/doctor.service.js';
import { SelfCheckReporter } from '../../../src/modules/operation/self-checks/self-check-reporter.js';
import type { CheckHistoryResponse } from '../../../src/modules/operation/system/checks.dto.js';
import type { SystemResponse } from '../../../src/modules/operation/system/system.dto.js';
import { ScheduledTasks } from '../../../src/platform/time/scheduled-tasks.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { DoctorEnvironment, SEEN_AS } from '../../support/app/doctor.js';
import { MailSink } from '../../support/mail/mail-sink.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const HOUR_MS = 3_600_000;
const LISTED = '25.113.0.203.zen.spamhaus.org';
const TEST_POINT = '2.0.0.127.zen.spamhaus.org';
const POINTER = '25.113.0.203.in-addr.arpa';

let world: DoctorEnvironment;
let sink: MailSink;
let app: TestApp;
let owner: NewAccount;

const start = (env: Record<string, string> = {}) =>
  anApp({
    ...world.env,
    EGRESS_IPS: SEEN_AS,
    INVITE_SMTP_URL: sink.url,
    INVITE_FROM: 'rcpt@example.org',
    ...env,
  });
/** Another process, at an hour after the last run. */
const another = async (env: Record<string, string> = {}) => {
  const other = await start({ ...app.shared, ...env });
  app.clock.advance(HOUR_MS);
  other.clock.advance(app.clock.now().getTime() - other.clock.now().getTime());
  return other;
};
const runIn = ({ service }: TestApp, task = 'check egresses') => service.app.get(ScheduledTasks).run(task);
/** The next run, an hour later. */
const nextRun = async (hours = 1) => {
  app.clock.advance(hours * HOUR_MS);
  return runIn(app);
};
const checksOf = async (of = app) => {
  const answer = await of.get('/v1/admin/system', owner.liveKey).expect(200);
  return (answer.body as SystemResponse).checks;
};
const checkOf = async (name: string) => (await checksOf()).find((check) => check.name === name);
const ready = async () => {
  await app.service.app.get(SelfCheckReporter, { strict: false }).look();
  return app.get('/readyz').expect(200);
};
const mailed = async () => {
  await runIn(app, 'send mails');
  return sink.received.splice(0).map(({ to, source }) => ({ to, source }));
};
const sql = (statement: string, values: unknown[] = []): Promise<unknown> =>
  app.service.app.get(DataSource).query(statement, values);
const listIt = (isListed: boolean) => world.dns.set(LISTED, isListed ? { a: ['127.0.0.4'] } : null);

beforeAll(async () => {
  world = await DoctorEnvironment.start();
  sink = await MailSink.start();
  app = await start();
  owner = await app.anAccount();
});
afterAll(async () => {
  await app.stop();
  await Promise.all([world.stop(), sink.close()]);
});

describe('the checks of every egress', () => {
  it('are made after each start, and reported to the operator with their status, since when, and in the metrics', async () => {
    expect(await checksOf()).toEqual([]);
    expect(await runIn(app)).toBe(8);
    const answer = await app.get('/v1/admin/system', owner.liveKey);
    (await ResponseValidator.published(app)).expect('GET', '/v1/admin/system', answer);
    const checks = (answer.body as SystemResponse).checks;
    expect(checks.map(({ name, egress, status }) => [name, egress, status])).toEqual([
      ['dns_lists', 'direct', 'pass'],
      ['egress', 'direct', expect.stringMatching(/pass|fail/)],
      ['ehlo_name', 'direct', 'pass'],
      ['port_25', 'direct', 'pass'],
      ['reverse_name', 'direct', 'pass'],
      ['sender_domain', 'direct', 'pass'],
      ['sender_policy', 'direct', 'pass'],
      ['tls', 'direct', 'pass'],
    ]);
    const [first] = checks;
    expect(first).toMatchObject({ detail: expect.stringContaining('is not on zen.spamhaus.org') });
    await ready();
    expect((await app.get('/metrics')).text).toContain(
      'rcpt_self_check{check="dns_lists",egress="direct"} 1\n',
    );
    const restarted = await start(app.shared);
    while (!(await restarted.get('/metrics')).text.includes('rcpt_self_check{'));
    expect([await runIn(app), await runIn(restarted), await runIn(restarted)]).toEqual([0, 8, 0]);
    await restarted.stop();
    await nextRun();
    expect(await checkOf('dns_lists')).toMatchObject({ since: first?.since });
    expect((await checkOf('dns_lists'))?.checked_at).not.toBe(first?.checked_at);
  });

  /** A lease is by the clock of the database. */
  const endLease = () => sql('UPDATE self_check_runs SET leased_until = now()');

  it('are made by one process of the installation, once in the interval', async () => {
    const other = await another();
    const asked = () => world.dns.questions.filter(({ name }) => name === LISTED).length;
    const before = asked();
    expect((await Promise.all([runIn(app), runIn(other)])).sort()).toEqual([0, 8]);
    expect(await Promise.all([runIn(app), runIn(other)])).toEqual([0, 0]);
    expect(asked()).toBe(before + 1);
    await other.stop();
  });

  it('are not recorded by a process that was stopped for longer than its lease, after another has made them', async () => {
    const other = await another();
    const doctor = other.service.app.get(DoctorService, { strict: false });
    const examine = doctor.examineEgresses;
    let taken = 0;
    jest.spyOn(doctor, 'examineEgresses').mockImplementation(async () => {
      const late = await examine();
      app.clock.advance(1_000);
      await endLease();
      taken = await runIn(app);
      return late.map((finding) => ({ ...finding, level: 'fail' as const }));
    });
    expect([await runIn(other), taken, await runIn(app), await runIn(other)]).toEqual([0, 8, 0, 0]);
    expect(await checkOf('dns_lists')).toMatchObject({ status: 'pass' });
    await other.stop();
  });

  it('an egress that is removed from the configuration disappears', async () => {
    const SMTP_EGRESS = 'direct,socks5://127.0.0.1:1;name=old';
    const two = await another({ SMTP_EGRESS, EGRESS_IPS: `direct=${SEEN_AS},old=203.0.113.26` });
    await runIn(two);
    expect(new Set((await checksOf(two)).map(({ egress }) => egress))).toEqual(new Set(['direct', 'old']));
    expect(new Set((await checksOf()).map(({ egress }) => egress))).toEqual(new Set(['direct']));
    await two.stop();
    await nextRun();
    expect(await sql('SELECT DISTINCT egress FROM self_checks')).toEqual([{ egress: 'direct' }]);
  });

  it('SELF_CHECK_EVERY=0 makes and reports none', async () => {
    const none = await another({ SELF_CHECK_EVERY: '0' });
    const before = world.dns.questions.length;
    expect(await runIn(none)).toBe(0);
    expect(world.dns.questions.length).toBe(before);
    expect(await checksOf(none)).toEqual([]);
    expect((await none.get('/readyz')).body).not.toHaveProperty('checks.blocklists');
    await none.stop();
  });

  it('without probes no mail server is contacted', async () => {
    const none = await another({ SMTP_ENABLED: 'false' });
    const before = world.providers.map(({ commands }) => commands.length);
    await runIn(none);
    expect((await checksOf(none)).filter(({ name }) => ['port_25', 'tls'].includes(name))).toEqual([]);
    expect(world.providers.map(({ commands }) => commands.length)).toEqual(before);
    await none.stop();
    await nextRun();
  });
});

describe('an address on a blocklist', () => {
  beforeEach(async () => {
    // Longer than the interval of mails.
    listIt(false);
    world.dns.set(TEST_POINT, { a: ['127.0.0.2'] });
    await nextRun(25);
    await mailed();
  });

  it('is one mail to the owners of the first team, and one when it is removed', async () => {
    await app.anAccount();
    listIt(true);
    await nextRun();
    const [mail, ...others] = await mailed();
    expect([mail?.to, others]).toEqual([[owner.user.email], []]);
    const source = mail?.source.replaceAll('=\r\n', '') ?? '';
    expect(source).toMatch(/Blocklists \(egress direct\): 203\.0\.113\.25 is on zen\.spamhaus\.org/);
    expect(source).toMatch(/Sperrlisten \(Ausgang direct\): 203\.0\.113\.25 is on zen/);
    expect(source).toContain('/console/system');
    await nextRun();
    expect(await mailed()).toEqual([]);
    listIt(false);
    await nextRun(24);
    const back = await mailed();
    expect(back).toHaveLength(1);
    expect(back[0]?.source).toContain('These checks pass again');
  });

  it('that comes and goes is one mail a day', async () => {
    let mails = 0;
    for (let hour = 0; hour < 24; hour += 2) {
      listIt(hour % 4 === 0);
      await nextRun(2);
      mails += (await mailed()).length;
    }
    expect(mails).toBe(1);
  });

  it('makes readiness degraded and never unready, without the address', async () => {
    expect((await ready()).body).toMatchObject({ checks: { blocklists: 'ok' } });
    listIt(true);
    await nextRun();
    const answer = await ready();
    expect(answer.body).toMatchObject({
      status: 'degraded',
      checks: { blocklists: 'degraded' },
      reasons: { blocklists: expect.stringMatching(/^direct: on a DNS list/) },
    });
    expect(answer.text).not.toContain('203.0.113');
    expect((await app.get('/metrics')).text).toContain(
      'rcpt_self_check{check="dns_lists",egress="direct"} 0\n',
    );
  });

  it.each([
    ['a list that closed and answers nothing', () => world.dns.set(TEST_POINT, null)],
    [
      'a list that closed and answers everything',
      () => world.dns.set('1.0.0.127.zen.spamhaus.org', { a: ['127.0.0.2'] }),
    ],
    [
      'a list that refuses the resolver',
      () => [LISTED, TEST_POINT].forEach((name) => world.dns.set(name, { a: ['127.255.255.254'] })),
    ],
    ['a DNS that fails', () => world.dns.set(LISTED, { rcode: 'SERVFAIL' })],
  ])('is not what %s reports', async (_, change) => {
    listIt(true);
    change();
    await nextRun();
    expect(await checkOf('dns_lists')).toMatchObject({
      status: 'unknown',
      detail: expect.stringMatching(/To do: .*look 203\.0\.113\.25 up/),
    });
    expect(await mailed()).toEqual([]);
    expect((await ready()).body).toMatchObject({ checks: { blocklists: 'ok' } });
    world.dns.set('1.0.0.127.zen.spamhaus.org', null);
  });
});

it('a resolver that answers for every name lists nothing', async () => {
  const lying = await DoctorEnvironment.start({}, { a: ['192.0.2.80'] });
  const lied = await another({ DNS_SERVERS: lying.dns.server });
  await runIn(lied);
  expect((await checksOf(lied)).find(({ name }) => name === 'dns_lists')).toMatchObject({
    status: 'unknown',
    detail: expect.stringMatching(/is not usable/),
  });
  await Promise.all([lied.stop(), lying.stop()]);
});

it('a check that has never passed is reported and not mailed, until it has passed', async () => {
  await sql('DELETE FROM self_checks');
  world.dns.set(POINTER, null);
  await nextRun();
  expect(await checkOf('reverse_name')).toMatchObject({ status: 'fail' });
  expect(await mailed()).toEqual([]);
  world.dns.set(POINTER, { ptr: ['verify.example.test'] });
});

it('the history has the worst result of each of the last 90 days', async () => {
  const history = async () => {
    const answer = await app.get('/v1/admin/system/checks', owner.liveKey);
    (await ResponseValidator.published(app)).expect('GET', '/v1/admin/system/checks', answer);
    const { first_day, last_day, checks } = answer.body as CheckHistoryResponse;
    return { first_day, last_day, days: checks.find(({ name }) => name === 'reverse_name')?.days ?? [] };
  };
  app.clock.standAt('2028-03-01T01:00:00Z');
  world.dns.set(POINTER, null);
  await runIn(app);
  world.dns.set(POINTER, { ptr: ['verify.example.test'] });
  app.clock.standAt('2028-03-01T02:00:00Z');
  await runIn(app);
  expect(await checkOf('reverse_name')).toMatchObject({ status: 'pass' });
  expect((await history()).days).toEqual([
    {
      date: '2028-03-01',
      status: 'fail',
      detail: expect.stringContaining('has no reverse name'),
      findings: [{ code: 'reverse_missing', params: { address: '203.0.113.25' } }],
      remedy: { code: 'set_reverse', params: { address: '203.0.113.25', name: 'verify.example.test' } },
    },
  ]);
  app.clock.standAt('2028-05-29T12:00:00Z');
  await runIn(app);
  expect(await history()).toMatchObject({
    first_day: '2028-03-01',
    last_day: '2028-05-29',
    days: [{ date: '2028-03-01' }, { date: '2028-05-29', status: 'pass', detail: null }],
  });
  app.clock.standAt('2028-06-01T12:00:00Z');
  await runIn(app, 'delete old checks');
  expect(await sql('SELECT min(day)::text AS day FROM self_check_days')).toEqual([{ day: '2028-05-29' }]);
});
