import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { RawClient } from '../../support/http/raw-client.js';
import { aComplaint } from '../../support/outcomes/delivery-reports.js';

describe('reports of outcomes that never end', () => {
  let app: TestApp;
  let team: NewAccount;
  const clients: RawClient[] = [];
  beforeAll(async () => {
    app = await anApp();
    team = await app.anAccount('unlimited');
  });
  afterAll(() => app.stop());

  async function begin(type: string, bytes: number): Promise<RawClient> {
    const client = await RawClient.connect(Number(new URL(app.url).port));
    clients.push(client);
    await client.send(
      `POST /v1/outcomes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${team.liveKey}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes + 1}\r\n\r\n`,
    );
    void client.send(Buffer.alloc(bytes, 'a'));
    return client;
  }
  const report = (key: string) =>
    app.post('/v1/outcomes', key).set('Content-Type', 'message/rfc822').send(aComplaint({}));

  it.each([
    ['message/rfc822', 4_500_000],
    ['application/json', 1_900_000],
  ])(
    'use limited memory of the team: the next one is 503, and other teams are served (%s)',
    async (type, bytes) => {
      const begun = [];
      for (let sum = 0; sum <= 8_000_000; sum += bytes) begun.push(await begin(type, bytes));
      const refused = await Promise.race(begun.map((client) => client.answer()));
      expectProblem(refused, 503, 'unavailable');
      expect(refused.headers['retry-after']).toBe('5');
      const other = await app.anAccount('unlimited');
      expect((await report(other.liveKey)).status).toBe(200);
      // Bodies of single calls have memory of their own.
      const verified = await app.post('/v1/verify', team.testKey).send({ email: 'jane@example.com' });
      expect(verified.status).toBe(200);
      for (const client of clients.splice(0)) client.close();
    },
  );

  it('release it when their client is gone', async () => {
    let status = 503;
    while (status === 503) ({ status } = await report(team.liveKey));
    expect(status).toBe(200);
  });
});
