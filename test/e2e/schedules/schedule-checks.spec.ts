import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { request, type ServerResponse } from 'node:http';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { SourceLimits } from '../../../src/modules/lists/schedules/domain/source-limits.js';
import type { ScheduleCheckResponse } from '../../../src/modules/lists/schedules/schedule-checks.dto.js';
import { expectProblem } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';
import {
  answering,
  silent,
  type Behaviour,
  type WebhookReceiver,
} from '../../support/webhooks/webhook-receiver.js';

const PATH = '/v1/schedules';
const CSV = { 'content-type': 'text/csv' };
const PAGE = '<!DOCTYPE html><title>Sign in</title>';

let world: ScheduleApp;
let answers: ResponseValidator;
let account: NewAccount;
let source: WebhookReceiver;
let limits: SourceLimits;
beforeAll(async () => {
  world = await ScheduleApp.start();
  answers = await ResponseValidator.published(world.app);
  limits = world.app.service.app.get(SourceLimits);
});
beforeEach(async () => {
  account = await world.app.anAccount();
  source = await world.aSource();
});
afterEach(() => void Object.assign(limits, new SourceLimits()));
afterAll(() => world.stop());

const bodyOf = (of: object) => ({ name: 'Newsletter', every: 'day', source: of });
const check = (of: object, { liveKey } = account) =>
  world.app.post(`${PATH}/check`, liveKey).send(bodyOf(of));

async function checked(of: object): Promise<ScheduleCheckResponse> {
  const answer = await check(of);
  answers.expect('POST', `${PATH}/check`, answer);
  expect(answer.status).toBe(200);
  return answer.body as ScheduleCheckResponse;
}

const file = (behave: Behaviour) => {
  source.behave = behave;
  return { kind: 'url', url: source.url };
};

/** The source has received a request and keeps it, until its connection is closed. */
function held(begin: (response: ServerResponse) => unknown = () => undefined) {
  let receive: () => void;
  let close: () => void;
  const received = new Promise<void>((resolve) => (receive = resolve));
  const closed = new Promise<void>((resolve) => (close = resolve));
  source.behave = (response) => {
    response.once('close', close);
    begin(response);
    receive();
  };
  return { received, closed, of: { kind: 'url', url: source.url } };
}

describe('the check of a file', () => {
  it('shows its columns and addresses, and stores, verifies and charges nothing', async () => {
    const rows = 'Name,Work email\nJane,jane@list.invalid\nJohn,\nJim,no address\n';
    expect(await checked(file(answering(200, CSV, rows)))).toEqual({
      object: 'schedule_check',
      ok: true,
      columns: ['Name', 'Work email'],
      email_column: 'Work email',
      rows_seen: 3,
      addresses_seen: 1,
      sample_is_whole: true,
      total: null,
      listmonk: null,
      failure: null,
    });
    const tables = ['schedules', 'schedule_runs', 'bulk_jobs'];
    const of = tables.map((table) => `(SELECT count(*) FROM ${table} WHERE team_id = $1)`).join(' + ');
    expect(await world.sql(`SELECT (${of})::integer AS stored`, [account.team.id])).toEqual([{ stored: 0 }]);
    expect((await world.app.get('/v1/usage', account.liveKey)).body).toMatchObject({ total: 0 });
  });

  it('reads the first rows of a large one, and then closes the connection', async () => {
    const rows = Buffer.from('jane@list.invalid\n'.repeat(2_000));
    const { closed, of } = held((response) => {
      response.writeHead(200, CSV).write('email\n');
      const send = () => void (response.destroyed || !response.write(rows) || setImmediate(send));
      response.on('drain', send).on('error', () => undefined);
      send();
    });
    const { ok, rows_seen: seen, sample_is_whole: isWhole } = await checked(of);
    await closed;
    expect([ok, isWhole]).toEqual([true, false]);
    expect(seen).toBeGreaterThanOrEqual(limits.sample.rows);
  });

  it('says what came in place of a list, in the words of a failed run', async () => {
    const page = file(answering(200, { 'content-type': 'text/html; charset=utf-8' }, PAGE));
    const { ok, failure } = await checked(page);
    expect([ok, failure?.code, failure?.detail]).toEqual([false, 'not_a_list', 'text/html']);
    expect(failure?.message).toMatch(/^The answer is text\/html, not CSV or NDJSON\./);
    expect(failure?.message).not.toContain('listmonk');
    const schedule = await world.aSchedule(account, page);
    for (let n = 0; n < 3; n++) expect((await world.run(schedule, account)).failure).toEqual(failure);
    const stored = await world.app.get(`${PATH}/${schedule.id}`, account.liveKey);
    expect(stored.body).toMatchObject({ enabled: false, disabled_reason: failure });
  });

  it.each<[string, Behaviour, object]>([
    ['a page that says it is a CSV', answering(200, CSV, PAGE), { code: 'not_a_list', detail: 'text/html' }],
    [
      'an archive',
      answering(200, { 'content-type': 'application/gzip' }, 'x'),
      { code: 'not_a_list', detail: 'application/gzip' },
    ],
    ['a login', answering(401), { code: 'unauthorized', detail: null }],
    ['an empty file', answering(200, CSV, 'email\n'), { code: 'empty' }],
    [
      'a redirect into a network that is not allowed',
      answering(302, { location: 'http://169.254.169.254/latest' }),
      { code: 'address_not_allowed' },
    ],
    [
      'columns without addresses',
      answering(200, CSV, 'Name,Town\nJane,Rome\nJohn,Oslo\n'),
      { code: 'malformed_list', detail: expect.stringContaining('1 "Name", 2 "Town"') as unknown },
    ],
  ])('names what is wrong with %s', async (_, behave, failure) => {
    expect(await checked(file(behave))).toMatchObject({ ok: false, failure });
  });

  it('refuses a URL that no schedule may have', async () => {
    expectProblem(await check({ kind: 'url', url: 'http://169.254.169.254/' }), 400, 'invalid_request');
  });

  it('reads the column that is named', async () => {
    const two = answering(
      200,
      CSV,
      'email,Other\njane@list.invalid,no\njohn@list.invalid,jim@list.invalid\n',
    );
    expect(await checked({ ...file(two), email_column: 'other' })).toMatchObject({
      ok: true,
      email_column: 'Other',
      rows_seen: 2,
      addresses_seen: 1,
    });
    const { failure } = await checked({ ...file(two), email_column: 'Third' });
    expect(failure).toMatchObject({
      code: 'malformed_list',
      detail: expect.stringContaining('Third') as unknown,
    });
  });

  it('gives up a source that sends too little', async () => {
    limits.sample.ms = 200;
    expect(await checked(file(silent))).toMatchObject({ ok: false, failure: { code: 'too_little_in_time' } });
    const drip = file((response) => response.writeHead(200, CSV).write('email\njane@list.invalid\n'));
    expect(await checked(drip)).toMatchObject({ ok: false, failure: { code: 'too_little_in_time' } });
  });

  it('has one place for each team, and ends when the client goes', async () => {
    limits.sample.ms = 600_000;
    const { received, closed, of } = held();
    const first = request(`${world.app.url}${PATH}/check`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.liveKey}`, 'content-type': 'application/json' },
    });
    first.on('error', () => undefined).end(JSON.stringify(bodyOf(of)));
    await received;
    expectProblem(await check(of), 429, 'rate_limited');
    source.behave = answering(200, CSV, 'email\njane@list.invalid\n');
    expect((await check(of, await world.app.anAccount())).body).toMatchObject({ ok: true });
    first.destroy();
    await closed;
    let answer = await check(of);
    while (answer.status === 429) answer = await check(of);
    expect(answer.body).toMatchObject({ ok: true });
  });

  it('waits for a place while other teams have them all', async () => {
    limits.sample.ms = 600_000;
    const held: ServerResponse[] = [];
    let fill: () => void;
    const full = new Promise<void>((resolve) => (fill = resolve));
    source.behave = (response) => {
      held.push(response);
      if (held.length === limits.checksAtOnce.total) fill();
    };
    const checks = Array.from({ length: limits.checksAtOnce.total + 1 }, async () =>
      check({ kind: 'url', url: source.url }, await world.app.anAccount()),
    );
    await full;
    source.behave = answering(200, CSV, 'email\njane@list.invalid\n');
    for (const response of held) response.writeHead(200, CSV).end('email\njane@list.invalid\n');
    for (const { body } of await Promise.all(checks)) expect(body).toMatchObject({ ok: true });
  });

  it('of a stored schedule uses its headers, and sends them nowhere else', async () => {
    const headers = { 'X-Key': 'value-of-header' };
    const schedule = await world.aSchedule(account, {
      ...file(answering(200, CSV, 'email\na@list.invalid\n')),
      headers,
    });
    const path = `${PATH}/${schedule.id}/check`;
    const own = await world.app.post(path, account.liveKey).send({});
    answers.expect('POST', `${PATH}/{id}/check`, own);
    expect(own.body).toMatchObject({ ok: true, rows_seen: 1 });
    expect(source.received.at(-1)?.headers['x-key']).toBe('value-of-header');
    const other = await world.aSource();
    const moved = await world.app
      .post(path, account.liveKey)
      .send({ source: { kind: 'url', url: other.url } });
    expectProblem(moved, 400, 'invalid_request');
    expect(other.received).toEqual([]);
    const stranger = await world.app.anAccount();
    expectProblem(await world.app.post(path, stranger.liveKey).send({}), 404, 'not_found');
    const stored = await world.app.get(`${PATH}/${schedule.id}`, account.liveKey);
    expect(stored.body).toEqual(schedule);
  });
});

describe('the check of a listmonk', () => {
  let listmonk: ScriptedListmonk;
  beforeEach(async () => {
    listmonk = await ScriptedListmonk.start();
  });
  afterEach(() => listmonk.stop());

  const pagesAsked = () => listmonk.paths('GET').filter((path) => path.startsWith('/api/subscribers')).length;

  it('shows its lists with their subscribers, and reads one page', async () => {
    listmonk.people.addList({ name: 'Readers', type: 'private', optin: 'single' });
    for (let n = 0; n < 600; n++) listmonk.add(`reader${n}@list.invalid`);
    listmonk.people.count();
    const { listmonk: found, ...rest } = await checked(listmonk.source([1]));
    expect(found).toEqual({ lists: [{ id: 1, name: 'Readers', subscribers: 600 }] });
    expect(rest).toMatchObject({
      ok: true,
      columns: null,
      email_column: null,
      rows_seen: 250,
      addresses_seen: 250,
      sample_is_whole: false,
      total: 600,
      failure: null,
    });
    expect(pagesAsked()).toBe(1);
  });

  it('reads a small one to its end, also without subscribers', async () => {
    listmonk.people.addList({ name: 'Few', type: 'private', optin: 'single' });
    expect(await checked(listmonk.source([1]))).toMatchObject({
      ok: true,
      rows_seen: 0,
      sample_is_whole: true,
    });
    listmonk.add('reader@list.invalid');
    expect(await checked(listmonk.source([1]))).toMatchObject({
      ok: true,
      rows_seen: 1,
      sample_is_whole: true,
    });
  });

  it('takes what has come when the time is over', async () => {
    limits.sample.ms = 1_000;
    listmonk.people.addList({ name: 'Few', type: 'private', optin: 'single' });
    for (let n = 0; n < 20; n++) listmonk.add(`reader${n}@list.invalid`);
    listmonk.instead = () => pagesAsked() > 1;
    expect(await checked(listmonk.source([1]))).toMatchObject({
      ok: true,
      rows_seen: 20,
      sample_is_whole: false,
    });
  });

  it.each<[string, object, RegExp]>([
    ['lists', [1, 9], /^listmonk has no list with the id 9\./],
    ['token', [1], /^The source answered 401 or 403\./],
    ['page', [1], /^The answer is not one of listmonk/],
  ])('says what is wrong with its %s', async (what, lists, says) => {
    listmonk.people.addList({ name: 'Readers', type: 'private', optin: 'single' });
    if (what === 'page')
      listmonk.instead = (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
        return true;
      };
    const of = { ...listmonk.source(lists as number[]), ...(what === 'token' && { token: 'other' }) };
    const { ok, failure } = await checked(of);
    expect(ok).toBe(false);
    expect(failure?.message).toMatch(says);
  });
});
