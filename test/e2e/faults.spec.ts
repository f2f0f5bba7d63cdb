import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { anApp, type TestApp } from '../support/app.js';
import { expectProblem } from '../support/problems.js';
import { UdpSink } from '../support/udp-sink.js';

const POOL_SIZE = 10;

describe('a service whose connections to the database are all taken', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(() => app.stop());

  it('answers 503 with Retry-After and no endless wait, says so in /readyz, and recovers', async () => {
    const { liveKey, testKey } = await app.anAccount();
    const source = app.service.app.get(DataSource);
    const runners = Array.from({ length: POOL_SIZE }, () => source.createQueryRunner());
    await Promise.all(runners.map((runner) => runner.connect()));
    const [read, write, verify, ready] = await Promise.all([
      app.get('/v1/keys', liveKey),
      app.post('/v1/blocklist', liveKey).send({ domain: 'example.com' }),
      app.get('/v1/verify?email=jane@example.com', testKey),
      app.get('/readyz'),
    ]);
    for (const answer of [read, write, verify, ready]) {
      expectProblem(answer, 503, 'unavailable');
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    }
    expect(ready.body).toMatchObject({ failing: 'database' });
    expect((await app.get('/livez')).status).toBe(200);

    await Promise.all(runners.map((runner) => runner.release()));
    expect((await app.get('/readyz')).status).toBe(200);
    const again = await app.post('/v1/blocklist', liveKey).send({ domain: 'example.com' });
    expect(again.status).toBe(201);
  });
});

describe('a DNS that swallows every question', () => {
  it('is unknown: dns_error once DNS has had its time, timeout where the caller has less', async () => {
    const hole = await UdpSink.open();
    const ask = async (DNS_TIMEOUT_MS: string) => {
      const app = await anApp({ DNS_SERVERS: hole.server, DNS_TIMEOUT_MS });
      const { liveKey } = await app.anAccount();
      const answer = await app.get('/v1/verify?email=jane@gmail.com&timeout=1', liveKey);
      await app.stop();
      return answer.body as object;
    };
    const [short, long] = await Promise.all([ask('200'), ask('60000')]);
    expect(hole.heard).toBeGreaterThan(0);
    hole.close();
    expect(short).toMatchObject({ status: 'unknown', reason: 'dns_error' });
    expect(long).toMatchObject({ status: 'unknown', reason: 'timeout' });
  });
});
