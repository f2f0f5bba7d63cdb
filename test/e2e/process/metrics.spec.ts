import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { DataSource } from 'typeorm';
import { parse } from 'yaml';
import { COUNTERS, GAUGES, HISTOGRAMS, type Table } from '../../../src/kernel/meter.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { MetricsServer } from '../../../src/platform/metrics/metrics-server.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aFreshDatabase } from '../../support/database/fresh-database.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { processedQueues } from '../../support/queue/processed-queues.js';
import { labelsOf, samplesOf, scrape } from '../../support/app/samples.js';
import { TcpRelay } from '../../support/database/tcp-relay.js';
import { CHUNKS_QUEUE } from '../../../src/modules/lists/bulk/domain/bulk-queue.js';
import { RECHECKS_QUEUE } from '../../../src/modules/verification/verification/domain/recheck-queue.js';
import { SCHEDULES_QUEUE } from '../../../src/modules/lists/schedules/domain/schedules-queue.js';
import { DELIVERIES_QUEUE } from '../../../src/modules/events/webhooks/domain/webhook-queue.js';

const QUEUES = [CHUNKS_QUEUE, RECHECKS_QUEUE, SCHEDULES_QUEUE, DELIVERIES_QUEUE];

let world: MailWorld;
let relay: TcpRelay;
let database: Awaited<ReturnType<typeof aFreshDatabase>>;
let app: TestApp;
let account: NewAccount;

beforeAll(async () => {
  world = await MailWorld.start();
  database = await aFreshDatabase();
  const through = await TcpRelay.to(database.url);
  relay = through.relay;
  app = await anApp({ ...world.env, DATABASE_URL: through.url });
  account = await app.anAccount();
});
afterAll(async () => {
  await app.stop();
  await relay.close();
  await database.drop();
  await world.stop();
});

const verify = (email: string, key = account.liveKey) => app.get(`/v1/verify?email=${email}`, key);
const read = () => scrape(app);
const sql = (statement: string, values: unknown[] = []) =>
  app.service.app.get(DataSource).query(statement, values);
const REQUESTS = 'http_server_request_duration_seconds_count';
const request = (method: string, route: string, status: number) =>
  `${REQUESTS}{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"}`;

/** A request is counted when its connection has finished, which may be after the response arrived. */
async function counted(series: string, count: number): Promise<void> {
  for (;;) {
    const value = (await read()).get(series) ?? 0;
    if (value < count) continue;
    expect([series, value]).toEqual([series, count]);
    return;
  }
}

describe('GET /metrics', () => {
  it('needs no key and has no rate limit', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => app.get('/metrics')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]?.headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  it('counts requests by route template, method and status', async () => {
    await verify('nobody');
    await app.get('/v1/keys/key_of_somebody');
    await app.delete('/v1/keys/key_of_somebody');
    await counted(request('GET', '/v1/verify', 200), 1);
    await counted(request('DELETE', '/v1/keys/:id', 401), 1);
  });

  it('reports the version of the process', async () => {
    const { version } = JSON.parse(
      await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
    ) as {
      version: string;
    };
    expect((await read()).get(`rcpt_build_info{version="${version}"}`)).toBe(1);
  });

  it('groups unknown routes and methods in one series', async () => {
    await app.get('/jane@example.com/anything');
    await fetch(`${app.url}/v1/verify`, { method: 'PROPFIND' });
    const unknown = [...(await read()).keys()].filter((series) => series.startsWith(`${REQUESTS}{`));
    expect(unknown.filter((series) => /jane|PROPFIND/.test(series))).toEqual([]);
    await counted(request('GET', '', 404), 1);
    expect(unknown.join()).not.toContain('anything');
  });

  it('counts live verdicts by status and reason, and no test verdicts', async () => {
    await verify('mailbox_full@example.com', account.testKey);
    await verify('ghost@plain.mailworld');
    const samples = await read();
    expect(samples.get('rcpt_verdicts_total{status="undeliverable",reason="mailbox_not_found"}')).toBe(1);
    expect([...samples.keys()].filter((series) => series.includes('mailbox_full'))).toEqual([]);
  });

  it('counts mail server replies by class and provider, and DNS queries', async () => {
    const before = (await read()).get('rcpt_smtp_replies_total{class="5xx",provider="other"}') ?? 0;
    await verify('ghost@lines.mailworld');
    const samples = await read();
    expect(samples.get('rcpt_smtp_replies_total{class="5xx",provider="other"}')).toBe(before + 1);
    expect(samples.get('dns_lookup_duration_seconds_count{type="MX",outcome="records"}')).toBeGreaterThan(0);
  });

  it('reports the number of open breakers', async () => {
    expect((await read()).get('rcpt_circuit_breakers_open{scope="host"}')).toBe(0);
    for (const name of ['jane', 'jack', 'jill']) await verify(`${name}@blocked.mailworld`);
    const samples = await read();
    expect(samples.get('rcpt_circuit_breakers_open{scope="host"}')).toBe(1);
  });

  it('counts rejections because of the daily quota', async () => {
    const { liveKey, team } = await app.anAccount('free');
    await sql(
      `INSERT INTO quota_days (team_id, day, used) VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 1000000)`,
      [team.id],
    );
    expect((await verify('jane@plain.mailworld', liveKey)).status).toBe(429);
    expect((await read()).get('rcpt_quota_rejections_total')).toBe(1);
  });

  it('reports the queue, the outbox and the pool', async () => {
    const samples = await read();
    for (const queue of QUEUES)
      for (const gauge of ['waiting', 'active', 'oldest_seconds'])
        expect(samples.get(`rcpt_queue_${gauge}{queue="${queue}"}`)).toBe(0);
    expect(samples.get('rcpt_db_pool_connections{state="waiting"}')).toBe(0);
    expect(samples.get('rcpt_db_pool_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
    expect(samples.get('rcpt_outbox_lag_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('reports the age of the oldest event', async () => {
    await sql('UPDATE outbox SET dispatched_at = now()');
    expect((await read()).get('rcpt_outbox_lag_seconds')).toBe(0);
    await sql(
      `INSERT INTO outbox (id, type, team_id, data, occurred_at) VALUES ('evt_1', 'x', 'y', '{}', now() - interval '1 hour')`,
    );
    expect((await read()).get('rcpt_outbox_lag_seconds')).toBeGreaterThanOrEqual(3_600);
  });

  it('contains no team, address or domain', async () => {
    app.clock.advance(1_000);
    const { text } = await app.get('/metrics');
    const labels = labelsOf(text);
    const names = [COUNTERS, HISTOGRAMS, GAUGES].flatMap((table) =>
      Object.values<Table[string]>(table).flatMap(({ labels: own }) => own),
    );
    expect(labels.filter(({ name }) => name !== 'le' && !names.includes(name))).toEqual([]);
    expect(labels.filter(({ value }) => /@|mailworld|example|team_|usr_|key_/.test(value))).toEqual([]);
    expect(text).not.toContain(account.team.id);
  });

  it('is served without the database, with all metrics that do not need it', async () => {
    await relay.close();
    const samples = await read();
    expect(samples.has('rcpt_outbox_lag_seconds')).toBe(false);
    expect(samples.get('rcpt_verdicts_total{status="undeliverable",reason="mailbox_not_found"}')).toBe(2);
    await relay.open();
    while (!(await read()).has('rcpt_outbox_lag_seconds'));
  });

  it('has every queue that the worker processes, and no other', () => {
    expect(processedQueues(app.service.app).sort()).toEqual([...QUEUES].sort());
  });
});

describe.each(['grafana/rcpt.json', 'prometheus/alerts.yaml'])('deploy/%s', (file) => {
  it('queries metrics of the service only, by labels that they have', async () => {
    // JSON is YAML.
    const document: unknown = parse(
      await readFile(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8'),
    );
    const queried = expressionsIn(document).flatMap(selectorsOf);
    const all: Table = { ...COUNTERS, ...HISTOGRAMS, ...GAUGES };
    const { text } = await app.get('/metrics');
    const served = text.split('\n').map((line) => /^# TYPE (\S+)/.exec(line)?.[1]);
    for (const { metric, labels } of queried.filter(({ metric }) => !OF_ALL_PROCESSES.test(metric))) {
      expect(served).toContain(metric);
      expect([metric, labels.filter((label) => !all[metric]?.labels.includes(label))]).toEqual([metric, []]);
    }
    expect(new Set(queried.map(({ metric }) => metric)).size).toBeGreaterThan(8);
  });
});

/** Of Prometheus itself, or the default metrics of Node.js. */
const OF_ALL_PROCESSES = /^(up|process_.*|nodejs_.*)$/;
/** Labels that Prometheus adds to a target. */
const OF_A_TARGET = ['job', 'instance'];

/** All members `expr` of a document. */
function expressionsIn(document: unknown): string[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, value]) =>
    name === 'expr' && typeof value === 'string' ? [value] : expressionsIn(value),
  );
}

/** The metrics of an expression, with the labels by which they are selected. */
function selectorsOf(expression: string): { metric: string; labels: string[] }[] {
  return [...expression.matchAll(/\b([a-z_]+?)(?:_bucket|_count)?\{([^}]*)\}/g)].map(([, metric, by]) => ({
    metric: metric ?? '',
    labels: [...(by ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)]
      .map(([, label]) => label ?? '')
      .filter((label) => !OF_A_TARGET.includes(label)),
  }));
}

describe('with METRICS_PORT', () => {
  it('serves metrics on that port, and not on the API port', async () => {
    const apart = await anApp({ METRICS_PORT: '0' });
    expect((await apart.get('/metrics')).status).toBe(404);
    const metricsUrl = apart.service.app.get(MetricsServer).url ?? '';
    const answer = await fetch(metricsUrl);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(samplesOf(await answer.text()).has('rcpt_db_pool_connections{state="waiting"}')).toBe(true);
    expect((await fetch(metricsUrl.replace('/metrics', '/v1/me'))).status).toBe(404);
    await apart.stop();
    await expect(fetch(metricsUrl)).rejects.toThrow();
  });
});
