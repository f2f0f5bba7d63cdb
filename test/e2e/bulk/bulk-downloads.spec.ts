import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { ListId } from '../../../src/kernel/ids.js';
import { ListErasureService } from '../../../src/modules/lists/bulk/jobs/list-erasure.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';

/** Each has a kilobyte, so no socket buffer holds all results. */
const ROWS = 20_000;
const LONG = `${'x'.repeat(980)}@example.com`;

describe('downloads of results', () => {
  let app: TestApp;
  let account: NewAccount;
  let id: string;
  let shortId: string;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    app = await anApp();
    account = await app.anAccount();
    id = await aLongList();
    ({ id: shortId } = await aBulkJob(app, account.testKey, ['jane@example.com']));
    await workOn(app);
  });
  afterAll(() => app.stop());
  beforeEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const query = <Row>(statement: string, values: unknown[]) =>
    app.service.app.get(DataSource).query<Row[]>(statement, values);

  /** One address in many rows. */
  async function aLongList(): Promise<string> {
    const job = await aBulkJob(app, account.testKey, [LONG]);
    await workOn(app);
    await query(
      `WITH job AS (
         UPDATE bulk_jobs SET total = $2, processed = $2, by_reason = jsonb_build_object('invalid_syntax', $2::integer)
          WHERE id = $1 RETURNING list
       ), more AS (
         INSERT INTO bulk_rows (list, idx, address_key, email)
         SELECT list, i, address_key, email FROM bulk_rows JOIN job USING (list), generate_series(1, $2 - 1) AS i
       ) INSERT INTO bulk_row_reasons SELECT list, i, 'invalid_syntax' FROM job, generate_series(1, $2 - 1) AS i`,
      [job.id, ROWS],
    );
    return job.id;
  }

  const path = () => `/v1/bulk-jobs/${id}/results`;
  /** Downloads the results of a short list. */
  const readShort = async (accept = 'text/csv') => {
    const answer = await app.get(`/v1/bulk-jobs/${shortId}/results`, account.testKey).set('Accept', accept);
    return answer.status;
  };

  /** Starts a download without reading it, once there is a place. @returns the socket, and the server's response. */
  async function stall(): Promise<{ socket: Socket; response: ServerResponse }> {
    // A download that has arrived may have its place a little longer.
    for (;;) {
      const started = await startUnread();
      if (started.response.statusCode !== 429) return started;
      started.socket.destroy();
    }
  }

  async function startUnread(): Promise<{ socket: Socket; response: ServerResponse }> {
    const server = app.service.app.getHttpServer();
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1' }).pause();
    sockets.push(socket);
    socket.write(
      `GET ${path()} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${account.testKey}\r\nAccept: text/csv\r\n\r\n`,
    );
    const [, response] = await asked;
    while (!response.headersSent) await pause(5);
    return { socket, response };
  }

  /** Resolves once a download can start. */
  async function aPlaceIsFree(): Promise<void> {
    while ((await readShort()) === 429) await pause(20);
  }

  it('are limited to four at once per team; the fifth is 429 with Retry-After, and pages and other teams are served', async () => {
    for (let n = 0; n < 4; n++) await stall();
    const refused = await app.get(path(), account.testKey).set('Accept', 'text/csv');
    expect(expectProblem(refused, 429, 'too_many_exports')).toMatchObject({ limit: 4 });
    expect(refused.headers['retry-after']).toBe('10');
    expect(await readShort('application/json')).toBe(200);
    const other = await app.anAccount();
    const list = await aBulkJob(app, other.testKey, ['jane@example.com']);
    const answer = await app.get(`/v1/bulk-jobs/${list.id}/results`, other.testKey).set('Accept', 'text/csv');
    expect(answer.status).toBe(200);
  });

  it('report the limits of the team, although they are streamed', async () => {
    const { testKey } = await app.anAccount('starter');
    const { id } = await aBulkJob(app, testKey, ['jane@example.com']);
    await workOn(app);
    const answer = await app.get(`/v1/bulk-jobs/${id}/results`, testKey).set('Accept', 'text/csv');
    expect(answer.headers).toMatchObject({
      'ratelimit-policy': '"burst";q=20;w=2',
      ratelimit: expect.stringMatching(/^"burst";r=1\d;t=\d$/),
    });
  });

  it('release their slot when they end, when the client disconnects, and after a minute without progress', async () => {
    await aPlaceIsFree();
    for (let round = 0; round < 5; round++) expect(await readShort()).toBe(200);
    const stalled = [];
    while ((await readShort()) === 200) stalled.push(await stall());
    const [gone, silent] = stalled;
    gone?.socket.destroy();
    await aPlaceIsFree();
    await stall();
    expect(await readShort()).toBe(429);
    expect(silent?.response.socket?.timeout).toBe(60_000);
    // Node emits this event after that time without progress.
    silent?.response.socket?.emit('timeout');
    await aPlaceIsFree();
    expect(silent?.response.writableFinished).toBe(false);
  });

  it('are aborted when the results are deleted, also with a filter', async () => {
    await aPlaceIsFree();
    const doomed = await aLongList();
    const answer = await fetch(`${app.url}/v1/bulk-jobs/${doomed}/results?status=undeliverable`, {
      headers: { Authorization: `Bearer ${account.testKey}`, Accept: 'application/x-ndjson' },
    });
    expect(answer.status).toBe(200);
    const [job] = await query<{ list: ListId }>('SELECT list FROM bulk_jobs WHERE id = $1', [doomed]);
    await app.service.app.get(ListErasureService, { strict: false }).erase(job!.list);
    await expect(answer.text()).rejects.toThrow();
  });

  it('are aborted when the job is deleted, while its rows are still there', async () => {
    await aPlaceIsFree();
    const doomed = await aLongList();
    const answer = await fetch(`${app.url}/v1/bulk-jobs/${doomed}/results`, {
      headers: { Authorization: `Bearer ${account.testKey}`, Accept: 'application/x-ndjson' },
    });
    expect(answer.status).toBe(200);
    expect((await app.delete(`/v1/bulk-jobs/${doomed}`, account.testKey)).status).toBe(204);
    await expect(answer.text()).rejects.toThrow();
    expect(
      await query('SELECT FROM bulk_rows r JOIN bulk_jobs j USING (list) WHERE j.id = $1 LIMIT 1', [doomed]),
    ).toHaveLength(1);
  });
});
