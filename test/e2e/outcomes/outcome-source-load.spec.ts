import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { NOW } from '../../support/outcomes/source-signers.js';

describe('the requests of a source', () => {
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt(NOW);
    app.clock.stop();
  });
  beforeEach(async () => {
    account = await app.anAccount();
  });
  afterAll(() => app.stop());

  const urlOf = async (key = account.liveKey) => {
    const answer = await app.post('/v1/outcome-sources', key).send({ kind: 'sparkpost', secret: null });
    return new URL((answer.body as { url: string }).url).pathname;
  };
  const events = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => ({
      msys: {
        message_event: { type: 'delivery', message_id: `${name}-${n}`, rcpt_to: `${name}${n}@example.com` },
      },
    }));
  const send = (path: string, body: unknown) => app.post(path).send(body as object);

  it('are stored in batches, each in its own transaction', async () => {
    const path = await urlOf();
    const data = app.service.app.get(DataSource);
    const ofTeam =
      'SELECT count(DISTINCT xmin::text)::integer AS transactions, count(*)::integer AS rows FROM outcomes';
    expect((await send(path, events(1_000, 'a'))).body).toMatchObject({ received: 1_000, stored: 1_000 });
    expect(await data.query(ofTeam)).toEqual([{ transactions: 4, rows: 1_000 }]);
  });

  it('leave connections of the database to the requests of others, and all are stored', async () => {
    const path = await urlOf();
    const other = await app.anAccount();
    const flood = Array.from({ length: 30 }, (_, n) => send(path, events(250, `flood${n}-`)));
    const answered = Promise.all(flood.map((request) => request.then(({ status }) => status)));
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) statuses.push((await app.get('/v1/team', other.liveKey)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(await answered)).toEqual(new Set([200]));
  });

  it('may have 20,000 events at once and 1,000 a second for a team; others wait for the next', async () => {
    const path = await urlOf();
    for (let n = 0; n < 3; n++) expect((await send(path, events(6_000, `b${n}-`))).status).toBe(200);
    const refused = await send(path, events(6_000, 'c'));
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([429, 'rate_limited']);
    expect(refused.headers['retry-after']).toBe('5');
    const second = await urlOf();
    expect((await send(second, events(6_000, 'c'))).status).toBe(429);
    const other = await app.anAccount();
    expect((await send(await urlOf(other.liveKey), events(1, 'd'))).status).toBe(200);
    app.clock.advance(5_000);
    expect((await send(path, events(6_000, 'c'))).status).toBe(200);
  });

  it('count if they are not signed, before their body is read', async () => {
    const answer = await app
      .post('/v1/outcome-sources', account.liveKey)
      .send({ kind: 'postmark', secret: 'hook:s3cret' });
    const path = new URL((answer.body as { url: string }).url).pathname;
    const signed = await urlOf();
    for (const name of ['a', 'b']) expect((await send(signed, events(9_990, name))).status).toBe(200);
    const statuses: number[] = [];
    for (let n = 0; n < 3; n++) statuses.push((await send(path, {})).status);
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('have at most 10,000 events each', async () => {
    const path = await urlOf();
    const answer = await send(
      path,
      Array.from({ length: 10_001 }, () => 0),
    );
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([413, 'too_many_outcomes']);
  });
});
