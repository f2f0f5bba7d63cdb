import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import type { UsageTodayResponse } from '../../../src/modules/identity/usage/usage.dto.js';
import type { WebhookResponse } from '../../../src/modules/events/webhooks/subscriptions/webhooks.dto.js';
import {
  CallingTeam,
  fleetWithoutRateLimits,
  killApi,
  type KilledCalls,
} from '../../support/processes/api-kills.js';
import {
  FEW_ROWS,
  outcomeOf,
  runWithFault,
  submitJob,
  type ChaosJob,
} from '../../support/processes/bulk-chaos.js';
import { BulkFleet, type FleetAccount } from '../../support/processes/bulk-fleet.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';
import { hasRedis } from '../../support/queue/redis-server.js';
import { answering, silent, verified, WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';
import { OPENED, type TestWebhook } from '../../support/webhooks/webhook-app.js';

const EVENTS = 20;

afterAll(() => RcptProcess.endAll());

/** A few of the cases that `npm run test:chaos` repeats many times. A start is expensive, so cases share kills. */
describe('an API process and two workers', () => {
  let fleet: BulkFleet;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ fleet, stop } = await fleetWithoutRateLimits(2, OPENED));
  }, 60_000);
  afterAll(() => stop());

  /** Resolves when a worker verifies a part of the list of this job. */
  const isBegun = ({ id }: ChaosJob) =>
    fleet.until(async () => {
      const leased = await fleet.database.query<unknown[]>(
        'SELECT FROM bulk_chunks JOIN bulk_jobs USING (list) WHERE id = $1 AND lease IS NOT NULL',
        [id],
      );
      return leased.length > 0;
    });

  it('the workers wait for the migrations, the API runs them; none prints a key', async () => {
    for (const worker of fleet.workers) {
      const url = await worker.ready();
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect((await fetch(`${url}/v1/verify`)).status).toBe(404);
    }
    expect((await fetch(`${fleet.url}/v1/verify`)).status).toBe(401);
    expect([fleet.api, ...fleet.workers].map(({ stdout }) => stdout).join('')).not.toMatch(
      /rcpt_(live|test)_/,
    );
  });

  describe('when the API is killed between a commit and its enqueue, and then a worker', () => {
    let job: ChaosJob;
    let calls: KilledCalls[];
    beforeAll(async () => {
      const metered = await CallingTeam.create(fleet, 'metered');
      const unlimited = await CallingTeam.create(fleet, 'unlimited');
      let workerKilled: Promise<void> | undefined;
      calls = await killApi(fleet, [metered, unlimited], 750, async () => {
        job = await submitJob(fleet, FEW_ROWS);
        // The other worker completes the job alone; the next test restarts this one.
        workerKilled = isBegun(job).then(() => fleet.killWorker(1));
      });
      await workerKilled;
      await fleet.startApi();
      calls.push(...(await killApi(fleet, [metered], 100)));
      await fleet.startApi();
    }, 120_000);

    it('a bulk job has one result per row, exact usage and one event', async () => {
      const { expected, found } = await outcomeOf(fleet, job);
      expect(found).toEqual(expected);
    }, 120_000);

    it('the API has counted every answer and blocks no unit', () => {
      expect(calls).toHaveLength(3);
      for (const { answered, inFlight, counted, used, free, reserved } of calls) {
        expect(answered).toBeGreaterThan(0);
        expect(counted).toBeGreaterThanOrEqual(answered);
        expect(counted).toBeLessThanOrEqual(answered + inFlight);
        expect({ used, reserved }).toEqual({ used: counted - free, reserved: 0 });
      }
    });
  });

  describe('when all workers are killed and the queue loses all jobs', () => {
    let receiver: WebhookReceiver;
    let webhook: TestWebhook;
    let job: ChaosJob;
    beforeAll(async () => {
      receiver = await WebhookReceiver.start();
      receiver.behave = silent;
      const account = await fleet.anAccount('unlimited');
      webhook = await post('/v1/webhooks', account, { url: receiver.url, events: ['key.created'] });
      for (let n = 0; n < EVENTS; n++) await post('/v1/keys', account, { name: `key ${n}` });
      await receiver.until(3);
      job = await submitJob(fleet, FEW_ROWS);
      await isBegun(job);
      await Promise.all(fleet.workers.map((_, n) => fleet.killWorker(n)));
      await fleet.loseQueuedJobs();
      receiver.behave = answering(204);
      // Leases expire after a minute, and attempts that timed out before the kill would wait for their
      // next one.
      await fleet.database.query(
        `UPDATE webhook_deliveries SET leased_until = now(), due_at = now() WHERE status = 'pending'`,
      );
      await fleet.startWorker(0);
    }, 120_000);
    afterAll(() => receiver.stop());

    it('a bulk job has one result per row, exact usage and one event', async () => {
      const { expected, found } = await outcomeOf(fleet, job);
      expect(found).toEqual(expected);
    }, 120_000);

    it('all events are delivered, none with a wrong signature, once per webhook', async () => {
      const distinct = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
      while (distinct() < EVENTS) await receiver.until(receiver.received.length + 1);
      await fleet.until(async () => (await statuses()).every((status) => status === 'succeeded'));
      expect({ bodies: bodiesPerEvent(webhook.secret), stored: await statuses() }).toEqual({
        bodies: Array<number>(EVENTS).fill(1),
        stored: Array<string>(EVENTS).fill('succeeded'),
      });
    }, 120_000);

    async function post<Answer>(path: string, { live_key }: FleetAccount, body: object): Promise<Answer> {
      const headers = { Authorization: `Bearer ${live_key}`, 'Content-Type': 'application/json' };
      const answer = await fetch(fleet.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Answer;
    }

    /** The number of different bodies of each event; throws if a signature is not valid. */
    function bodiesPerEvent(secret: string): number[] {
      const bodies = new Map<string, Set<string>>();
      for (const delivery of receiver.received) {
        verified(delivery, secret);
        const id = delivery.headers['webhook-id'] ?? '';
        bodies.set(id, (bodies.get(id) ?? new Set()).add(delivery.body));
      }
      return [...bodies.values()].map((variants) => variants.size);
    }

    async function statuses(): Promise<string[]> {
      const { id }: WebhookResponse = webhook;
      const rows = await fleet.database.query<{ status: string }[]>(
        'SELECT status FROM webhook_deliveries WHERE webhook_id = $1',
        [id],
      );
      return rows.map(({ status }) => status);
    }
  });

  it('a list has its preview although the worker is killed while it makes it, and costs nothing', async () => {
    const { live_key: key, team } = await fleet.anAccount('unlimited');
    const rows = Array.from({ length: 10_000 }, (_, n) => `"person${n}@domain${n % 2_000}.rcpt-test.net"\n`);
    const id = await fleet.submitStreamed(rows, key, { query: '?hold=true' });
    const previews = (where: string) =>
      fleet.database.query<unknown[]>(`SELECT FROM list_previews WHERE team_id = $1 AND ${where}`, [team.id]);
    await fleet.until(async () => (await previews('lease IS NOT NULL')).length > 0);
    await fleet.killWorker(0);
    expect(await previews('NOT done AND attempts > 0')).toHaveLength(1);
    await fleet.startWorker(0);
    const job = () => fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key);
    await fleet.until(async () => (await job()).preview !== null);
    expect(await job()).toMatchObject({
      status: 'held',
      usage: { reserved: 0, charged: 0 },
      preview: { rows: 10_000, unique: 10_000, max_charge: 10_000 },
    });
    const quota = await fleet.get<UsageTodayResponse>('/v1/usage', key);
    expect(quota).toMatchObject({ quota: { used: 0, reserved: 0 }, total: 0 });
  }, 120_000);

  it('exit with 0 after SIGTERM', async () => {
    expect(await Promise.all([fleet.api, fleet.workers[0]!].map((member) => member.end()))).toEqual([0, 0]);
  });
});

if (hasRedis) {
  describe('a bulk job enqueued through Redis', () => {
    let fleet: BulkFleet;
    beforeAll(async () => {
      // The database grants the parts of a list to workers, whatever the queue: one process is sufficient.
      fleet = await BulkFleet.start('Redis', 0);
    }, 60_000);
    afterAll(() => fleet.stop());

    it('has one result per row, exact usage and one event when the queue loses all jobs', async () => {
      const { expected, found } = await runWithFault(fleet, 'the queue loses all jobs', 1, FEW_ROWS);
      expect(found).toEqual(expected);
    }, 120_000);
  });
}
