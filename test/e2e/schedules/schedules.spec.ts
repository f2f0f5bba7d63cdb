import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SchedulesService } from '../../../src/modules/lists/schedules/schedules.service.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { ScheduleResponse } from '../../../src/modules/lists/schedules/schedules.dto.js';
import { Erasures } from '../../../src/platform/database/erasure/erasures.js';
import { expectProblem, type Problem } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';

const PATH = '/v1/schedules';
const URL_SOURCE = {
  kind: 'url',
  url: 'https://example.com/list.csv',
  headers: { 'X-Key': 'value-of-header' },
};
const LISTMONK = {
  kind: 'listmonk',
  url: 'https://mail.example.com',
  username: 'rcpt',
  token: 'token-1',
  lists: [1, 2],
};

let world: ScheduleApp;
let answers: ResponseValidator;
let account: NewAccount;
beforeAll(async () => {
  world = await ScheduleApp.start();
  answers = await ResponseValidator.published(world.app);
});
beforeEach(async () => {
  account = await world.app.anAccount();
});
afterAll(() => world.stop());

const create = (body: object) =>
  world.app
    .post(PATH, account.liveKey)
    .send({ name: 'Newsletter', every: 'day', source: URL_SOURCE, ...body });
const change = (id: string, body: object) =>
  world.app.request('patch', `${PATH}/${id}`, account.liveKey).send(body);
const secretOf = async (id: string) =>
  (await world.sql<{ secret: string | null }>('SELECT secret FROM schedules WHERE id = $1', [id]))[0]?.secret;

describe('a schedule', () => {
  it('is created with defaults, and shows headers by their names only', async () => {
    const answer = await create({});
    answers.expect('POST', PATH, answer);
    const schedule = answer.body as ScheduleResponse;
    expect(answer.headers.location).toBe(`${PATH}/${schedule.id}`);
    expect(schedule).toMatchObject({
      every: 'day',
      at: 3,
      source: { kind: 'url', url: URL_SOURCE.url, headers: ['X-Key'], email_column: null },
      notify: null,
      max_age_days: 30,
      on_result: { listmonk: 'none' },
      enabled: true,
      disabled_reason: null,
      last_run: null,
    });
    expect(schedule.next_run_at).toMatch(/T03:00:00.000Z$/);
    const stored = await world.sql('SELECT s, a FROM schedules s, audit_log a WHERE s.team_id = a.team_id');
    expect(JSON.stringify(stored)).not.toContain('value-of-header');
    expect(world.app.logged()).not.toContain('value-of-header');
    for (const path of [PATH, `${PATH}/${schedule.id}`])
      expect((await world.app.get(path, account.liveKey)).text).not.toContain('value-of-header');
  });

  it('of listmonk never shows the token', async () => {
    const answer = await create({ source: LISTMONK, on_result: { listmonk: 'attributes' } });
    const { token, ...shown } = LISTMONK;
    expect(answer.body).toMatchObject({ source: shown, on_result: { listmonk: 'attributes' } });
    expect(answer.text).not.toContain(token);
  });

  it('is listed, changed and deleted with its runs and results', async () => {
    const { id } = (await create({})).body as ScheduleResponse;
    const list = await world.app.get(PATH, account.liveKey);
    answers.expect('GET', PATH, list);
    expect(list.body).toMatchObject({ data: [{ id }], has_more: false });
    const changed = await change(id, {
      name: 'Monthly',
      every: 'month',
      at: 0,
      max_age_days: 90,
      enabled: false,
    });
    answers.expect('PATCH', `${PATH}/{id}`, changed);
    expect(changed.body).toMatchObject({ name: 'Monthly', every: 'month', at: 0, max_age_days: 90 });
    expect(changed.body).toMatchObject({ enabled: false, disabled_reason: null, next_run_at: null });
    await world.app.post(`${PATH}/${id}/run`, account.liveKey);
    await world.sql(
      `INSERT INTO schedule_members SELECT $1, '\\x00', 'risky', now(), now(), 'catch_all', 50`,
      [id],
    );
    expect((await world.app.delete(`${PATH}/${id}`, account.liveKey)).status).toBe(204);
    await world.app.service.app.get(Erasures).run();
    for (const table of [
      'schedules',
      'schedule_runs',
      'schedule_members',
      'schedule_rows',
      'schedule_domains',
    ])
      expect(
        await world.sql(`SELECT FROM ${table} WHERE ${table === 'schedules' ? 'id' : 'schedule_id'} = $1`, [
          id,
        ]),
      ).toEqual([]);
    expect((await world.app.get(`${PATH}/${id}`, account.liveKey)).status).toBe(404);
  });

  it('keeps its secret on the same host, and needs it again for another one', async () => {
    const { id } = (await create({ source: LISTMONK })).body as ScheduleResponse;
    const secret = await secretOf(id);
    const { token, ...source } = LISTMONK;
    expect((await change(id, { source: { ...source, lists: [3] } })).status).toBe(200);
    expect(await secretOf(id)).toBe(secret);
    const moved = await change(id, { source: { ...source, url: 'https://other.example.com' } });
    expect((moved.body as Problem).errors).toMatchObject([{ pointer: '/source/token' }]);
    expect(
      (await change(id, { source: { ...source, token, url: 'https://other.example.com' } })).status,
    ).toBe(200);
    expect(await secretOf(id)).not.toBe(secret);
  });

  it.each<[object, string]>([
    [{ every: 'hour' }, '/every'],
    [{ at: 24 }, '/at'],
    [{ weekday: 'someday' }, '/weekday'],
    [{ day_of_month: 32 }, '/day_of_month'],
    [{ notify: 'en' }, '/notify'],
    [{ max_age_days: 0 }, '/max_age_days'],
    [{ source: { kind: 'ftp', url: 'https://example.com/' } }, '/source/kind'],
    [{ source: { kind: 'url', url: 'http://169.254.169.254/' } }, '/source/url'],
    [{ source: { kind: 'url', url: 'https://example.com:22/' } }, '/source/url'],
    [{ source: { kind: 'url', url: 'https://a:b@example.com/' } }, '/source/url'],
    [{ source: { ...URL_SOURCE, headers: { Host: 'other' } } }, '/source/headers'],
    [{ source: { ...URL_SOURCE, headers: { a: 'x\r\nb: y' } } }, '/source/headers'],
    [{ source: { ...URL_SOURCE, token: 'x' } }, '/source/token'],
    [{ source: { ...LISTMONK, lists: [] } }, '/source/lists'],
    [{ source: { ...LISTMONK, email_column: 'a' } }, '/source/email_column'],
    [{ source: { ...LISTMONK, token: undefined } }, '/source/token'],
    [{ source: { ...LISTMONK, lists: undefined } }, '/source/lists'],
    [{ on_result: { listmonk: 'attributes' } }, '/on_result/listmonk'],
    [{ on_result: { listmonk: 'delete' } }, '/on_result/listmonk'],
  ])('with %j is refused at %s', async (body, pointer) => {
    const answer = await create(body);
    expect((answer.body as Problem).errors).toMatchObject([{ pointer }]);
  });

  it('is one of at most 20 of a team', async () => {
    for (let n = 0; n < 20; n++) expect((await create({})).status).toBe(201);
    expectProblem(await create({}), 409, 'limit_reached');
  });

  it('needs a tier with schedules', async () => {
    account = await world.app.anAccount('free');
    expectProblem(await create({}), 402, 'upgrade_required');
  });

  it('fails after its tier has lost them', async () => {
    const source = await world.aSource();
    const schedule = await world.aSchedule(account, { kind: 'url', url: source.url });
    await world.app.post(`${PATH}/${schedule.id}/run`, account.liveKey);
    await world.sql(`UPDATE teams SET base_tier = 'free' WHERE id = $1`, [account.team.id]);
    await world.work();
    const runs = await world.runsOf(schedule, account);
    expect(runs).toMatchObject([{ status: 'failed', failure: { code: 'upgrade_required' } }]);
  });

  it('forgets an address of a person who is erased, in every spelling', async () => {
    const source = await world.aSource('email\nJane@list.invalid\njoe@list.invalid\n');
    const schedule = await world.aSchedule(account, { kind: 'url', url: source.url });
    await world.run(schedule, account);
    expect(await world.app.service.app.get(SchedulesService).eraseAddress('jane@LIST.invalid')).toBe(1);
    const members = await world.sql('SELECT FROM schedule_members WHERE schedule_id = $1', [schedule.id]);
    expect(members).toHaveLength(1);
  });
});
