import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import {
  ChunkRepository,
  type LeasedChunk,
} from '../../../src/modules/lists/bulk/domain/chunk.repository.js';
import type { AddressResult } from '../../../src/modules/lists/bulk/domain/list.repository.js';
import { VerifyChunkService } from '../../../src/modules/verification/verification/lists/verify-chunk.service.js';
import type { UsageTodayResponse } from '../../../src/modules/identity/usage/usage.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import {
  aBulkJob,
  claimNext,
  jobOf,
  resultsOf,
  verifyNext,
  verifyOn,
  workOn,
} from '../../support/app/bulk.js';

/** More than five chunks; every second row is a duplicate; half of the addresses are charged. */
const LIST = Array.from({ length: 5_000 }, (_, row) => {
  const n = Math.floor(row / 2);
  return n % 2 === 0 ? `no address ${n}` : `person${n}@nowhere.rcpt-test.net`;
});
const WHOLE = {
  status: 'completed',
  total: 5_000,
  unique: 2_500,
  processed: 5_000,
  by_status: { deliverable: 0, undeliverable: 2_500, risky: 0, unknown: 2_500 },
  usage: { reserved: 2_500, charged: 1_250, returned: 1_250 },
};

describe('a bulk job on three workers', () => {
  let apps: TestApp[];
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    apps = [app, await anApp(app.shared), await anApp(app.shared)];
  });
  beforeEach(async () => {
    account = await app.anAccount('scale');
  });
  afterAll(async () => {
    // The first one owns the database.
    for (const app of apps.reverse()) await app.stop();
  });

  const query = <Row>(statement: string, values: unknown[] = []) =>
    app.service.app.get(DataSource).query<Row[]>(statement, values);

  /** Every row has one result, usage is exact, one event was published, and no work is left. */
  const expectWhole = async (id: string) => {
    expect(await jobOf(app, account.liveKey, id)).toMatchObject(WHOLE);
    const rows = await resultsOf(app, account.liveKey, id);
    expect(rows.map(({ email }) => email)).toEqual(LIST);
    expect(rows.filter(({ status }) => status === null)).toEqual([]);
    const usage = (await app.get('/v1/usage', account.liveKey)).body as UsageTodayResponse;
    expect(usage).toMatchObject({ quota: { used: 1_250, reserved: 0 }, bulk: 5_000, free: 3_750 });
    const counted = `SELECT processed - (SELECT count(*) FROM bulk_row_reasons r WHERE r.list = j.list)::integer AS missing
      FROM bulk_jobs j WHERE id = $1`;
    expect(await query(counted, [id])).toEqual([{ missing: 0 }]);
    const events = await query<{ type: string }>(
      `SELECT type FROM outbox WHERE team_id = $1 AND type LIKE 'bulk%'`,
      [account.team.id],
    );
    expect(events).toEqual([{ type: 'bulk_job.completed' }]);
    expect(await query('SELECT FROM bulk_chunks')).toEqual([]);
  };

  it('completes once when every queue job is delivered twice', async () => {
    const { id } = await aBulkJob(app, account.liveKey, LIST);
    await Promise.all([...apps, ...apps].map((worker) => verifyOn(worker)));
    await expectWhole(id);
  });

  it('completes once when leases expire while workers are running', async () => {
    const { id } = await aBulkJob(app, account.liveKey, LIST);
    let working = true;
    // Fewer times than the maximum attempts, which lost leases must not use up.
    const expire = async () => {
      for (let times = 0; times < 3 && working;) {
        const taken = await query(
          `WITH expired AS (
             UPDATE bulk_chunks SET leased_until = now() WHERE lease IS NOT NULL RETURNING 1
           ) SELECT FROM expired`,
        );
        if (taken.length > 0) times++;
      }
    };
    const work = async (worker: TestApp) => {
      while ((await query(`SELECT FROM bulk_chunks`)).length > 0) await verifyOn(worker);
    };
    const worked = Promise.all(apps.map(work)).finally(() => (working = false));
    await Promise.all([expire(), worked]);
    await expectWhole(id);
  });

  it('is not recorded under a lease that another worker holds', async () => {
    const { id } = await aBulkJob(app, account.liveKey, LIST.slice(0, 10));
    const parts = app.service.app.get(ChunkRepository);
    const lost = await claimNext(app);
    await query(`UPDATE bulk_chunks SET leased_until = now()`);
    const held = await claimNext(app);
    if (lost === null || held === null) throw new Error('no chunk');
    const results = [{} as AddressResult];
    const advance = async (chunk: LeasedChunk, isLast: boolean) => [
      ...(await parts.advance(chunk.listId, [{ chunk, results, isLast }])),
    ];
    expect([lost.no, await advance(lost, true)]).toEqual([held.no, []]);
    expect([await advance(lost, false), await advance(held, false)]).toEqual([[], [held.lease]]);
    expect(await advance(held, true)).toEqual([held.lease]);
    expect(await advance(held, true)).toEqual([]);
    await app.delete(`/v1/bulk-jobs/${id}`, account.liveKey);
  });

  it('continues after a worker has shut down, which does not count as an attempt', async () => {
    const { id } = await aBulkJob(app, account.liveKey, LIST);
    const ending = new AbortController();
    const stopping = verifyNext(app, ending.signal);
    ending.abort();
    await stopping;
    const chunks = await query<{ attempts: number; lease: string | null }>(
      'SELECT attempts, lease FROM bulk_chunks',
    );
    expect(chunks.every(({ attempts, lease }) => attempts === 0 && lease === null)).toBe(true);
    await workOn(app);
    await expectWhole(id);
  });

  it('is recorded while a chunk is verified, and only the rest is verified after a worker has died', async () => {
    const { id } = await aBulkJob(app, account.liveKey, LIST.slice(0, 40));
    const batches = app.service.app.get(VerifyChunkService);
    const verify = batches.verify.bind(batches);
    const asked: (readonly string[])[] = [];
    let die = (_: Error) => {};
    const death = new Promise<never>((_, reject) => (die = reject));
    // The worker dies after the first results: those that need no network.
    batches.verify = async function* (caller, emails, request) {
      asked.push(emails);
      for await (const group of verify(caller, emails, request)) {
        yield group;
        if (asked.length === 1) await death;
      }
    };
    const dying = verifyNext(app);
    while ((await jobOf(app, account.liveKey, id)).processed === 0) await setImmediate();
    expect((await jobOf(app, account.liveKey, id)).processed).toBe(20);
    await query('UPDATE bulk_chunks SET leased_until = now()');
    await verifyOn(app);
    batches.verify = verify;
    die(new Error('killed'));
    await expect(dying).rejects.toThrow('killed');
    expect(asked.map(({ length }) => length)).toEqual([20, 10]);
    expect(asked[1]?.every((email) => email.endsWith('@nowhere.rcpt-test.net'))).toBe(true);
    expect(await jobOf(app, account.liveKey, id)).toMatchObject({ status: 'completed', processed: 40 });
    await app.delete(`/v1/bulk-jobs/${id}`, account.liveKey);
  });

  it('can be canceled at any time with exact usage', async () => {
    const { id } = await aBulkJob(app, account.liveKey, LIST);
    const working = Promise.all(apps.map((worker) => verifyOn(worker)));
    while ((await jobOf(app, account.liveKey, id)).processed === 0);
    await app.post(`/v1/bulk-jobs/${id}/cancel`, account.liveKey);
    await working;
    const job = await jobOf(app, account.liveKey, id);
    const done = (await resultsOf(app, account.liveKey, id)).filter(({ status }) => status !== null);
    expect(done).toHaveLength(job.processed);
    expect(job.usage.charged + job.usage.returned).toBe(2_500);
    expect((await app.get('/v1/usage', account.liveKey)).body).toMatchObject({
      quota: { used: job.usage.charged, reserved: 0 },
      bulk: job.processed,
    });
    const events = await query(`SELECT type FROM outbox WHERE team_id = $1 AND type LIKE 'bulk%'`, [
      account.team.id,
    ]);
    expect(events).toHaveLength(1);
  });

  describe('with an address whose verification fails', () => {
    const failing = (fails: (emails: readonly string[]) => boolean) => {
      const batches = app.service.app.get(VerifyChunkService);
      const verify = batches.verify.bind(batches);
      batches.verify = (caller, emails, request) => {
        if (fails(emails)) throw new Error('planted');
        return verify(caller, emails, request);
      };
      return () => (batches.verify = verify);
    };
    const persist = async () => {
      for (let left = true; left;) {
        await workOn(app).catch(() => undefined);
        await query(`UPDATE bulk_chunks SET leased_until = now()`);
        left = (await query('SELECT FROM bulk_chunks')).length > 0;
      }
    };

    it('answers internal_error for that address only, for free', async () => {
      const list = LIST.slice(0, 100);
      const heal = failing((emails) => emails.includes('person5@nowhere.rcpt-test.net'));
      const { id } = await aBulkJob(app, account.liveKey, list);
      await persist();
      heal();
      expect(await jobOf(app, account.liveKey, id)).toMatchObject({
        status: 'completed',
        by_reason: { invalid_syntax: 50, dns_error: 48, internal_error: 2 },
      });
    });

    it('answers internal_error for the chunk when the process dies of it each time', async () => {
      const { id } = await aBulkJob(app, account.liveKey, [
        'jane@nowhere.rcpt-test.net',
        'joe@nowhere.rcpt-test.net',
      ]);
      for (let death = 0; death < 5; death++) {
        await claimNext(app);
        await query(`UPDATE bulk_chunks SET leased_until = now()`);
      }
      await workOn(app);
      expect(await jobOf(app, account.liveKey, id)).toMatchObject({
        status: 'completed',
        by_reason: { internal_error: 2 },
        usage: { reserved: 2, charged: 0, returned: 2 },
      });
    });
  });

  it('fails with a reason and releases the rest when rows were lost', async () => {
    const { id } = await aBulkJob(app, account.liveKey, LIST);
    await query(
      `DELETE FROM bulk_rows WHERE idx < 20 AND list = (SELECT list FROM bulk_jobs WHERE id = $1)`,
      [id],
    );
    await workOn(app);
    expect(await jobOf(app, account.liveKey, id)).toMatchObject({
      status: 'failed',
      failure: 'input_unreadable',
      processed: 4_980,
      usage: { reserved: 2_500, charged: 1_245, returned: 1_255 },
    });
    expect((await app.get('/v1/usage', account.liveKey)).body).toMatchObject({
      quota: { used: 1_245, reserved: 0 },
    });
  });
});
