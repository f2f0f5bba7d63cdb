import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { SourceLimits } from '../../../src/modules/lists/schedules/domain/source-limits.js';
import { workOn } from '../../support/app/bulk.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';
import { answering, silent, type Behaviour } from '../../support/webhooks/webhook-receiver.js';

const CSV = { 'content-type': 'text/csv' };
const JSON_TYPE = { 'content-type': 'application/json' };
const SECRET = 'value-of-the-header';
const METADATA = 'http://169.254.169.254/latest';
/** A hundred megabytes of zeros. */
const BOMB = gzipSync(Buffer.alloc(100_000_000));

let world: ScheduleApp;
let account: NewAccount;
let listmonk: ScriptedListmonk;
let limits: SourceLimits;
beforeAll(async () => {
  world = await ScheduleApp.start();
  limits = world.app.service.app.get(SourceLimits);
});
beforeEach(async () => {
  account = await world.app.anAccount();
  listmonk = await ScriptedListmonk.start();
});
afterEach(async () => {
  Object.assign(limits, new SourceLimits());
  await listmonk.stop();
});
afterAll(() => world.stop());

const limit = (changed: Partial<SourceLimits>) => Object.assign(limits, changed);

async function aUrlSchedule(behave: Behaviour) {
  const source = await world.aSource();
  source.behave = behave;
  const headers = { Authorization: SECRET };
  return { source, schedule: await world.aSchedule(account, { kind: 'url', url: source.url, headers }) };
}

/** Runs it until it has ended, with all attempts. */
async function ended(schedule: { id: string }) {
  let run = await world.run(schedule, account);
  while (run.finished_at === null) {
    await world.endLeases();
    await world.work();
    run = (await world.runsOf(schedule, account))[0]!;
  }
  return run;
}

const failing = (code: string) => ({ status: 'failed', failure: { code } });

/** Sends more until the connection is closed. */
function endless(response: ServerResponse, chunk: Buffer): void {
  response.on('error', () => undefined);
  const send = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', send);
  };
  send();
}

describe('a source at a URL', () => {
  it.each<[string, Behaviour]>([
    ['never answers', silent],
    ['sends headers and nothing more', (response) => response.writeHead(200, CSV).flushHeaders()],
  ])('that %s is given up after a time without a row, each time', async (_, behave) => {
    limit({ idleMs: 200 });
    const { source, schedule } = await aUrlSchedule(behave);
    expect(await ended(schedule)).toMatchObject(failing('timeout'));
    expect(source.received).toHaveLength(3);
  });

  it('that sends a row now and then is given up with a sentence, however long it would go on', async () => {
    limit({ slow: { ms: 200, bytes: 10_000 } });
    const { source, schedule } = await aUrlSchedule((response) => {
      const timer = setInterval(() => response.write('jane@list.invalid\n'), 10);
      response.writeHead(200, CSV).on('close', () => clearInterval(timer));
    });
    expect(await world.run(schedule, account)).toMatchObject({ ...failing('too_slow'), job_id: null });
    expect(source.received).toHaveLength(1);
  });

  it('that says it is too large is not read', async () => {
    limit({ bytes: 1_000 });
    // Its rows never come.
    const { schedule } = await aUrlSchedule((response) =>
      response.writeHead(200, { ...CSV, 'content-length': '1001' }).flushHeaders(),
    );
    expect(await world.run(schedule, account)).toMatchObject(failing('too_large'));
  });

  it('that says nothing of its size is read up to the limit, and leaves nothing', async () => {
    limit({ bytes: 100_000 });
    let close = () => {};
    const closed = new Promise<void>((resolve) => (close = resolve));
    const rows = Buffer.from('jane@list.invalid,A reader\n'.repeat(100));
    const { schedule } = await aUrlSchedule((response) => {
      response.once('close', close);
      response.writeHead(200, CSV).write('email,name\n');
      endless(response, rows);
    });
    expect(await world.run(schedule, account)).toMatchObject({ ...failing('too_large'), job_id: null });
    await closed;
    const lists = await world.sql('SELECT FROM bulk_jobs WHERE team_id = $1', [account.team.id]);
    expect(lists).toEqual([]);
  });

  const PAGE = `<!DOCTYPE html>\n<title>Sign in</title>\n<p>Write to\nhelp@list.invalid\nor\njane@list.invalid</p>\n`;
  it.each<[string, Record<string, string>, string | Buffer, string?]>([
    ['a page', { 'content-type': 'text/html; charset=utf-8' }, PAGE, 'text/html'],
    ['a page that says it is a CSV', CSV, PAGE, 'text/html'],
    ['a page without a type', {}, `\ufeff\n ${PAGE}`, 'text/html'],
    ['an XHTML page', { 'content-type': 'text/plain' }, `<?xml version="1.0"?>\n${PAGE}`, 'application/xml'],
    ['an error in JSON', JSON_TYPE, '{"error":"not found"}', 'application/json'],
    ['an error in a line', { 'content-type': 'text/plain' }, 'The export failed\nwith an error\n'],
    ['a compressed body', { ...CSV, 'content-encoding': 'gzip' }, BOMB],
    ['a compressed file', { 'content-type': 'application/gzip' }, BOMB, 'application/gzip'],
  ])('that answers 200 with %s is no list', async (_, headers, body, type) => {
    const { schedule } = await aUrlSchedule(answering(200, headers, body));
    const failure = type === undefined ? { code: 'malformed_list' } : { code: 'not_a_list', detail: type };
    expect(await world.run(schedule, account)).toMatchObject({ status: 'failed', failure, job_id: null });
  });
});

describe('a listmonk', () => {
  const untilWriting = async (schedule: { id: string }) => {
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    await workOn(world.app);
    await world.app.dispatchEvents();
  };
  const answerWith =
    (status: number, headers: Record<string, string>, body: string | Buffer = '') =>
    (_: unknown, response: ServerResponse) =>
      response.writeHead(status, headers).end(body) !== null;
  const hang = {
    'never answers': () => true,
    'sends headers and nothing more': (_: unknown, response: ServerResponse) => {
      response.writeHead(200, JSON_TYPE).flushHeaders();
      return true;
    },
  };

  it.each(Object.entries(hang))(
    'that %s is given up, while it is read and while it is changed',
    async (_, behave) => {
      listmonk.add('gone@list.invalid');
      const schedule = await world.aSchedule(account, listmonk.source(), {
        on_result: { listmonk: 'blocklist_undeliverable' },
      });
      limit({ requestMs: 80 });
      listmonk.instead = behave;
      expect(await world.run(schedule, account)).toMatchObject({ status: 'queued' });
      limit({ requestMs: 30_000 });
      listmonk.instead = () => false;
      await world.endLeases();
      await untilWriting(schedule);
      limit({ requestMs: 80 });
      listmonk.instead = behave;
      expect(await ended(schedule)).toMatchObject(failing('timeout'));
    },
  );

  it.each<[string, string, [number, Record<string, string>, (string | Buffer)?]]>([
    ['redirects to a private address', 'address_not_allowed', [302, { location: METADATA }]],
    ['redirects to another port', 'address_not_allowed', [307, { location: 'http://127.0.0.1:22/' }]],
    ['answers with a page', 'not_listmonk', [200, { 'content-type': 'text/html' }, '<p>Sign in</p>']],
    ['answers with other JSON', 'not_listmonk', [200, JSON_TYPE, '{"data":{"results":"none"}}']],
    ['answers compressed', 'not_listmonk', [200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, BOMB]],
  ])('whose second page %s fails, and nothing is verified', async (_, code, answer) => {
    for (let n = 0; n < 60; n++) listmonk.add(`reader${n}@list.invalid`);
    listmonk.instead = (asked, response) =>
      asked.path.includes('page=2') && answerWith(...answer)(asked, response);
    const schedule = await world.aSchedule(account, listmonk.source());
    expect(await world.run(schedule, account)).toMatchObject({ ...failing(code), job_id: null });
  });

  it('sends no more than the limit in all its pages', async () => {
    for (let n = 0; n < 600; n++) listmonk.add(`reader${n}@list.invalid`);
    limit({ pageBytes: 40_000 });
    const schedule = await world.aSchedule(account, listmonk.source());
    expect(await world.run(schedule, account)).toMatchObject(failing('too_large'));
    expect(listmonk.asked.length).toBeGreaterThan(1);
  });
});

describe('the secrets of a source', () => {
  it.each<[string, Behaviour]>([
    ['a refusal', answering(401, {}, `no access with ${SECRET}`)],
    ['another status', answering(418, { 'x-sent': SECRET }, SECRET)],
    ['a list that is none', answering(200, CSV, `${SECRET},${SECRET}\n${SECRET},${SECRET}\n`)],
    ['a redirect', answering(302, { location: `http://169.254.169.254/?${SECRET}` })],
    ['no response', (response) => response.destroy()],
  ])('are nowhere after %s that repeats them', async (_, behave) => {
    const { schedule } = await aUrlSchedule(behave);
    await ended(schedule);
    const { token, username } = ScriptedListmonk.credentials;
    const basic = Buffer.from(`${username}:${token}`).toString('base64');
    listmonk.instead = (_asked, response) =>
      response.writeHead(500, JSON_TYPE).end(JSON.stringify({ message: `${token} ${basic}` })) !== null;
    await ended(await world.aSchedule(account, listmonk.source()));
    const stored = await world.sql(
      `SELECT to_jsonb(t) AS row FROM (SELECT to_jsonb(o) FROM outbox o UNION ALL SELECT to_jsonb(a) FROM audit_log a
        UNION ALL SELECT to_jsonb(r) FROM schedule_runs r UNION ALL SELECT to_jsonb(s) FROM schedules s
        UNION ALL SELECT to_jsonb(b) FROM bulk_jobs b) t`,
    );
    const shown = await world.app.get('/v1/schedules', account.liveKey);
    const everything = JSON.stringify(stored) + shown.text + world.app.logged();
    expect(everything).toContain(schedule.id);
    for (const secret of [SECRET, token, basic]) expect(everything).not.toContain(secret);
  });
});
