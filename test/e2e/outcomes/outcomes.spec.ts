import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { OutcomeReceipt } from '../../../src/modules/events/outcome-intake/outcome-intake.dto.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { sweepAll } from '../../support/database/growing-tables.js';
import { aComplaint, REPORT_FORMATS, type ReportFormat } from '../../support/outcomes/delivery-reports.js';

describe('outcomes', () => {
  let app: TestApp;
  let account: NewAccount;
  let answers: ResponseValidator;
  beforeAll(async () => {
    app = await anApp();
    answers = await ResponseValidator.published(app);
  });
  beforeEach(async () => {
    account = await app.anAccount();
    app.clock.standAt('2026-11-20T12:00:00Z');
  });
  afterAll(() => app.stop());

  const post = async (body: string | object, type = 'application/json', key = account.liveKey) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await app.post('/v1/outcomes', key).set('Content-Type', type).send(text);
    answers.expect('POST', '/v1/outcomes', answer);
    return answer;
  };
  const report = async (body: string | object, type?: string): Promise<OutcomeReceipt> => {
    const answer = await post(body, type);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body as OutcomeReceipt;
  };
  const of = async (email: string, key = account.liveKey) => {
    const answer = await app.get(`/v1/outcomes?email=${encodeURIComponent(email)}`, key);
    answers.expect('GET', '/v1/outcomes', answer);
    return (answer.body as { data: unknown[] }).data;
  };
  const rows = () =>
    app.service.app.get(DataSource).query<Record<string, unknown>[]>('SELECT * FROM outcomes');

  it('stores one, and returns it in every spelling of the address', async () => {
    const reply = '550 5.1.1 <Ghost@Example.com>: User unknown; ask ghost';
    const at = '2026-11-01T10:00:00Z';
    const entry = { email: 'Ghost@example.com', outcome: 'bounced', at, reply };
    expect(await report(entry)).toEqual({ received: 1, stored: 1, duplicates: 0, ignored: [] });
    expect(await of('ghost@EXAMPLE.com')).toEqual([
      {
        kind: 'bounced',
        at: '2026-11-01T10:00:00.000Z',
        code: 550,
        enhanced_code: '5.1.1',
        text: '[address] User unknown; ask [address]',
      },
    ]);
  });

  it('stores the keyed hash, and no address', async () => {
    await report({ email: 'secret.person@corp.example', outcome: 'bounced', reply: '550 no secret.person' });
    const stored = JSON.stringify(await rows());
    expect(stored).toContain('corp.example');
    expect(stored).not.toContain('secret.person');
  });

  it('counts the same message, address and outcome once', async () => {
    const entry = { email: 'a@example.com', outcome: 'delivered', message_id: '<1@x>' };
    const outcomes = [entry, entry, { ...entry, outcome: 'complained' }, { ...entry, message_id: '<2@x>' }];
    expect(await report({ outcomes })).toMatchObject({ received: 4, stored: 3, duplicates: 1 });
    expect(await report({ outcomes })).toMatchObject({ received: 4, stored: 0, duplicates: 4 });
  });

  it('ignores what cannot be used with its reason, and stores the rest', async () => {
    const good = { email: 'a@example.com', outcome: 'delivered' };
    const outcomes = [
      { ...good, email: 'nobody' },
      { ...good, outcome: 'opened' },
      { ...good, at: '2026-11-20T13:00:00Z' },
      { ...good, at: '2025-10-01T00:00:00Z' },
      { ...good, at: 'yesterday' },
      { ...good, reply: 'x'.repeat(1_001) },
      { ...good, code: 99 },
      { ...good, enhanced_code: 'x' },
      { ...good, message_id: 'x'.repeat(201) },
      { ...good, opened: true },
      null,
      good,
    ];
    const receipt = await report({ outcomes });
    expect(receipt).toMatchObject({ received: 12, stored: 1, duplicates: 0 });
    expect(receipt.ignored.map(({ index, code }) => [index, code])).toEqual([
      [0, 'invalid_email'],
      [1, 'invalid_outcome'],
      [2, 'in_future'],
      [3, 'too_old'],
      [4, 'invalid_at'],
      [5, 'invalid_reply'],
      [6, 'invalid_code'],
      [7, 'invalid_enhanced_code'],
      [8, 'invalid_message_id'],
      [9, 'unknown_member'],
      [10, 'invalid_type'],
    ]);
    expect(await report({ email: 'nobody', outcome: 'bounced' })).toMatchObject({ received: 1, stored: 0 });
  });

  it('keeps texts that a database cannot hold', async () => {
    const reply = '550 no \u0000 such \ud800 user';
    expect(await report({ email: 'a@example.com', outcome: 'bounced', reply })).toMatchObject({ stored: 1 });
  });

  it('may be a CSV or NDJSON', async () => {
    const csv =
      'Email;outcome;at;reply;campaign\na@example.com;Bounced;;550 5.1.1 no user;7\nb@example.com;opened;;;\n';
    expect(await report(csv, 'text/csv')).toMatchObject({
      received: 2,
      stored: 1,
      ignored: [{ index: 1, code: 'invalid_outcome' }],
    });
    const ndjson = '{"email":"c@example.com","outcome":"delivered"}\n\n{"email":"d"}\n';
    expect(await report(ndjson, 'application/x-ndjson')).toMatchObject({ received: 2, stored: 1 });
    expect(await of('a@example.com')).toMatchObject([{ kind: 'bounced', code: 550 }]);
  });

  it('may be a CSV as a mail program exports it, read as its query says', async () => {
    const csv = 'Bounces\n\nRecipient,Sender,Outcome\nx@example.com,own@example.com,bounced\n';
    const send = (query: string) =>
      app
        .post(`/v1/outcomes${query}`, account.liveKey)
        .set('Content-Type', 'text/csv')
        .send(csv.replace('Bounces', `Bounces ${query}`).replace('x@', `x${query.length}@`));
    const refused = await send('');
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'malformed_list',
        detail: expect.stringMatching(/^No column .* Line 3 has: .*email_column\.$/),
      },
    });
    expect((await send('?email_column=Recipient')).body).toMatchObject({ received: 1, stored: 1 });
    expect((await send('?email_column=1&delimiter=%2C&header_line=3')).body).toMatchObject({ stored: 1 });
    expect(await send('?column=Recipient')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('of an interrupted import are counted once when it is repeated', async () => {
    const line = (n: number) =>
      `{"email":"u${n}@example.com","outcome":"delivered","at":"2026-11-01T00:00:00Z"}`;
    const all = Array.from({ length: 1_000 }, (_, n) => line(n));
    const broken = await post([...all.slice(0, 600), '{'].join('\n'), 'application/x-ndjson');
    expect([broken.status, (broken.body as { code: string }).code]).toEqual([400, 'malformed_list']);
    const before = (await rows()).length;
    const receipt = await report(all.join('\n'), 'application/x-ndjson');
    expect(receipt.received).toBe(1_000);
    expect(receipt.stored + receipt.duplicates).toBe(1_000);
    const again = await report(all.join('\n'), 'application/x-ndjson');
    expect(again).toMatchObject({ stored: 0, duplicates: 1_000 });
    expect((await rows()).length).toBe(before + receipt.stored);
  });

  it('are at most 100,000 rows', async () => {
    const rowsOf = (count: number) => 'email,outcome\n' + 'nobody,delivered\n'.repeat(count);
    const answer = await post(rowsOf(100_001), 'text/csv');
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([413, 'too_many_outcomes']);
  });

  it.each(Object.keys(REPORT_FORMATS) as ReportFormat[])('may be a report of %s', async (format) => {
    const message = REPORT_FORMATS[format]({
      recipient: 'gone@example.com',
      reply: '550 5.1.1 <gone@example.com>: Recipient address rejected: User unknown',
      remoteHost: 'mx.example.com',
    });
    const type = 'message/rfc822';
    expect(await report(message, type)).toEqual({ received: 1, stored: 1, duplicates: 0, ignored: [] });
    expect(await report(message, type)).toMatchObject({ stored: 0, duplicates: 1 });
    expect(await of('gone@example.com')).toEqual([
      {
        kind: 'bounced',
        at: '2026-11-16T10:20:30.000Z',
        code: 550,
        enhanced_code: '5.1.1',
        text: '[address] Recipient address rejected: User unknown',
      },
    ]);
  });

  it('may be a complaint, or a message that is none', async () => {
    expect(await report(aComplaint(), 'message/rfc822')).toMatchObject({ stored: 1 });
    expect(await of('jane@example.com')).toMatchObject([{ kind: 'complained', code: null, text: null }]);
    const other = 'From: a@b.example\r\nSubject: Hello\r\n\r\nHello';
    expect((await report(other, 'message/rfc822')).ignored).toMatchObject([{ index: 0, code: 'no_report' }]);
    const unnamed = aComplaint({ rcptTo: null });
    expect((await report(unnamed, 'message/rfc822')).ignored).toMatchObject([{ code: 'no_recipient' }]);
  });

  it.each<[string, string | object, string, number, string]>([
    ['no outcome', { outcomes: [] }, 'application/json', 400, 'invalid_request'],
    ['too many', { outcomes: Array(1_001).fill({}) }, 'application/json', 400, 'invalid_request'],
    ['an unknown member', { outcomes: [{}], mode: 1 }, 'application/json', 400, 'invalid_request'],
    ['a list', '[]', 'application/json', 400, 'invalid_request'],
    ['broken JSON', '{', 'application/json', 400, 'malformed_json'],
    [
      'JSON of nine levels',
      '{"a":'.repeat(9) + '1' + '}'.repeat(9),
      'application/json',
      400,
      'malformed_json',
    ],
    [
      'a JSON over 2 MB',
      `{"email":"${'x'.repeat(2_000_000)}"}`,
      'application/json',
      413,
      'payload_too_large',
    ],
    ['no message', '', 'message/rfc822', 400, 'malformed_report'],
    ['another type', '<a/>', 'text/xml', 415, 'unsupported_media_type'],
  ])('are refused: %s', async (_, body, type, status, code) => {
    const answer = await post(body, type);
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([status, code]);
  });

  it('require a live secret key', async () => {
    const entry = { email: 'a@example.com', outcome: 'delivered' };
    const test = await post(entry, 'application/json', account.testKey);
    expect([test.status, (test.body as { code: string }).code]).toEqual([403, 'live_key_required']);
  });

  it('are replayed for the same idempotency key', async () => {
    const send = () =>
      app
        .post('/v1/outcomes', account.liveKey)
        .set('Idempotency-Key', 'outcomes-1')
        .send({ email: 'once@example.com', outcome: 'delivered' });
    expect((await send()).body).toMatchObject({ stored: 1 });
    const replayed = await send();
    expect(replayed.body).toMatchObject({ stored: 1, duplicates: 0 });
    expect(replayed.headers['idempotency-replayed']).toBe('true');
  });

  it('are pages, newest first', async () => {
    const outcomes = [1, 2, 3].map((day) => ({
      email: 'p@example.com',
      outcome: 'delivered',
      at: `2026-11-0${day}T00:00:00Z`,
    }));
    await report({ outcomes });
    const first = await app.get('/v1/outcomes?email=p@example.com&limit=2', account.liveKey);
    const { data, next_cursor: cursor } = first.body as { data: { at: string }[]; next_cursor: string };
    const next = await app.get(`/v1/outcomes?email=p@example.com&cursor=${cursor}`, account.liveKey);
    const all = [...data, ...(next.body as { data: { at: string }[] }).data];
    expect(all.map(({ at }) => at.slice(8, 10))).toEqual(['03', '02', '01']);
  });

  it('belong to the team, and are deleted by address', async () => {
    const outcome = { email: 'mine@example.com', outcome: 'delivered' };
    await report(outcome);
    const other = await app.anAccount();
    expect(await of('mine@example.com', other.liveKey)).toEqual([]);
    expect((await app.delete('/v1/outcomes?email=mine@example.com', other.liveKey)).status).toBe(204);
    expect(await of('mine@example.com')).toHaveLength(1);
    expect((await app.delete('/v1/outcomes?email=MINE@example.com', account.liveKey)).status).toBe(204);
    expect(await of('mine@example.com')).toEqual([]);
  });

  it.each(['', '?email=', '?email=nobody', '?email=a@b.com&email=c@d.com'])(
    'of no address are a 400: %s',
    async (query) => {
      expect((await app.get(`/v1/outcomes${query}`, account.liveKey)).status).toBe(400);
      expect((await app.delete(`/v1/outcomes${query}`, account.liveKey)).status).toBe(400);
    },
  );

  it('are deleted after 400 days', async () => {
    await report({ email: 'old@example.com', outcome: 'delivered' });
    app.clock.standAt('2027-12-24T12:00:00Z');
    await sweepAll(app, 'delete old outcomes');
    expect(await of('old@example.com')).toHaveLength(1);
    app.clock.standAt('2027-12-26T12:00:00Z');
    await sweepAll(app, 'delete old outcomes');
    expect(await of('old@example.com')).toEqual([]);
  });
});
