import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { ReaderThreads, THREADS } from '../../../src/platform/threads/reader-threads.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { sendList } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';
import { RawClient } from '../../support/http/raw-client.js';

/** More than a body needs to get a thread. */
const BEGINNING = `email\n${'jane@example.com\n'.repeat(5_000)}`;

/** Each takes some time to start. */
const FEW = { ...THREADS, total: 4, reserved: { slots: 1, few: 1 } };

describe('a body that is read in a thread', () => {
  let app: TestApp;
  let threads: ReaderThreads;
  const clients: RawClient[] = [];
  beforeAll(async () => {
    app = await anApp({}, { reading: { keyCheckMs: 200 }, threads: FEW });
    threads = app.service.app.get(ReaderThreads);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await until(() => threads.inUse === 0);
  });
  afterAll(() => app.stop());

  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await pause(20);
  }

  /** Sends the beginning of a list, which gets a thread, and nothing more. */
  async function begin(key: string, path = '/v1/verify/bulk', beginning = BEGINNING): Promise<RawClient> {
    const before = threads.inUse;
    const client = await RawClient.connect(Number(new URL(app.url).port));
    clients.push(client);
    await client.send(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/csv\r\nContent-Length: 5000000\r\n\r\n${beginning}`,
    );
    await until(() => threads.inUse === before + 1);
    return client;
  }

  /** Whether nothing is left of lists that were not accepted, but for their places in the limit of a day. */
  const isErased = async () => {
    const rows = await app.service.app.get(DataSource).query<object[]>(
      `SELECT 1 FROM bulk_jobs WHERE state = 'receiving'
       UNION ALL SELECT 1 FROM bulk_rows LEFT JOIN bulk_jobs USING (list)
        WHERE state IS NULL OR state = 'erasing'`,
    );
    return rows.length === 0;
  };

  it('leaves its place to others when as many teams as there are threads send theirs too slowly', async () => {
    const slow: RawClient[] = [];
    for (let n = 0; n < FEW.total; n++) slow.push(await begin((await app.anAccount()).liveKey));
    const { testKey } = await app.anAccount();
    app.clock.advance(30_000);
    expect((await sendList(app, testKey, 'jane@example.com\n', 'text/csv')).status).toBe(202);
    expectProblem(await Promise.any(slow.map((client) => client.answer())), 408, 'request_timeout');
  });

  it.each(['/v1/verify/bulk', '/v1/outcomes'])('of %s is given up when its client goes', async (path) => {
    const { liveKey } = await app.anAccount();
    const client = await begin(
      liveKey,
      path,
      path === '/v1/outcomes' ? BEGINNING.replace('email', 'email,outcome') : BEGINNING,
    );
    client.close();
    await until(() => threads.inUse === 0);
    await until(isErased);
  });

  it.each(['/v1/verify/bulk', '/v1/outcomes'])('of %s is given up when its team is deleted', async (path) => {
    const { liveKey } = await app.anAccount();
    const client = await begin(liveKey, path);
    expect((await app.delete('/v1/team', liveKey)).status).toBe(204);
    // A key is remembered for 4 s.
    app.clock.advance(5_000);
    expectProblem(await client.answer(), 401, 'invalid_credential');
    await until(isErased);
  });

  it('is one of many that a team may send, and all are read', async () => {
    const { testKey, liveKey } = await app.anAccount();
    const outcomes = Array.from({ length: 12 }, (_, n) =>
      app.post('/v1/outcomes', liveKey).send({ email: `jane${n}@example.com`, outcome: 'delivered' }),
    );
    const statuses = await Promise.all(outcomes.map((request) => request.then(({ status }) => status)));
    expect(statuses).toEqual(Array(12).fill(200));
    expect((await sendList(app, testKey, 'jane@example.com\n', 'text/csv')).status).toBe(202);
  });
});
