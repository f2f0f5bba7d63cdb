import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import type { UsageTodayResponse } from '../../../src/modules/identity/usage/usage.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aHeldJob, jobOf, previewOn, resultsOf, upkeepOf, verifyOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';

const HOUR_MS = 3_600_000;
const plain = { servers: [mailboxes('jane')], story: 'accepts jane', expect: {} };

describe('a held list', () => {
  let world: MailWorld;
  let app: TestApp;
  beforeAll(async () => {
    world = await MailWorld.start({
      scenes: [
        { ...plain, domain: 'plain.mailworld' },
        { ...plain, domain: 'other.mailworld' },
        {
          domain: 'null.mailworld',
          story: 'no mail',
          dns: { 'null.mailworld': { mx: [[0, '.']] } },
          expect: {},
        },
      ],
    });
    app = await anApp(world.env);
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const connections = () =>
    ['plain.mailworld', 'other.mailworld'].reduce((sum, name) => sum + world.server(name).connections, 0);
  const quota = async (key: string) => ((await app.get('/v1/usage', key)).body as UsageTodayResponse).quota;
  const start = (id: string, key: string) => app.post(`/v1/bulk-jobs/${id}/start`, key);
  const held = (key: string, emails: readonly unknown[], more = {}) => aHeldJob(app, key, emails, more);
  const audited = async ({ liveKey }: NewAccount) =>
    ((await app.get('/v1/audit', liveKey)).body as { data: { action: string }[] }).data.map(
      ({ action }) => action,
    );

  it('has a preview, and costs nothing and reaches no mail server before it is started', async () => {
    const { liveKey } = await app.anAccount('starter');
    const known = await app.get('/v1/verify?email=jane@other.mailworld', liveKey);
    expect(known.status).toBe(200);
    const before = { quota: await quota(liveKey), connections: connections() };
    const job = await held(liveKey, [
      'jane@plain.mailworld',
      'JANE@plain.mailworld',
      'ghost@plain.mailworld',
      'jane@other.mailworld',
      'info@null.mailworld',
      'x@mailinator.com',
      'x@privaterelay.appleid.com',
      'jane@gone.mailworld',
      'no address',
      '',
    ]);
    expect(job).toMatchObject({
      status: 'held',
      preview: null,
      total: 10,
      unique: 8,
      duplicates: 1,
      empty: 1,
    });
    expect(job.usage).toEqual({ reserved: 0, charged: 0, returned: 0 });
    await previewOn(app);
    const { preview } = await jobOf(app, liveKey, job.id);
    expect(preview).toMatchObject({
      rows: 10,
      unique: 8,
      duplicates: 1,
      stored: 1,
      invalid_syntax: 1,
      disposable: 1,
      role: 1,
      privacy_relay: 1,
      max_charge: 8,
    });
    // The name servers of the test know no other domain.
    expect(preview?.dead_domains).toBeGreaterThanOrEqual(2);
    expect(preview?.dead_addresses).toBeGreaterThanOrEqual(preview?.dead_domains ?? Infinity);
    expect(preview?.providers[0]).toEqual({ name: 'plain.mailworld', addresses: 2 });
    expect(preview?.eta_seconds.low).toBeLessThanOrEqual(preview?.eta_seconds.high ?? 0);
    await verifyOn(app);
    expect({ quota: await quota(liveKey), connections: connections() }).toEqual(before);
    expect((await jobOf(app, liveKey, job.id)).processed).toBe(1);

    expect((await start(job.id, liveKey)).body).toMatchObject({ status: 'queued', usage: { reserved: 8 } });
    expect((await quota(liveKey)).reserved).toBe(8);
    await verifyOn(app);
    expect(connections()).toBeGreaterThan(before.connections);
    const rows = await resultsOf(app, liveKey, job.id);
    expect(rows.map(({ status }) => status).slice(0, 4)).toEqual([
      'deliverable',
      'deliverable',
      'undeliverable',
      'deliverable',
    ]);
  });

  it('is started once by concurrent and repeated calls', async () => {
    const account = await app.anAccount('starter');
    const { liveKey } = account;
    const { id } = await held(liveKey, ['no address', 'nor this']);
    const answers = await Promise.all([start(id, liveKey), start(id, liveKey), start(id, liveKey)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await quota(liveKey)).toMatchObject({ used: 0, reserved: 2 });
    await verifyOn(app);
    expect((await start(id, liveKey)).body).toMatchObject({ status: 'completed', usage: { charged: 2 } });
    expect(await quota(liveKey)).toMatchObject({ used: 2, reserved: 0 });
    const actions = await audited(account);
    expect(actions.filter((action) => action === 'bulk.submitted')).toHaveLength(1);
    expect(actions).toContain('bulk.held');
  });

  it('may be looked at, not started, by a team whose tier has no lists or too short ones', async () => {
    const { liveKey } = await app.anAccount('free');
    const { id } = await held(liveKey, ['jane@plain.mailworld']);
    await previewOn(app);
    expect((await jobOf(app, liveKey, id)).preview).toMatchObject({ unique: 1 });
    expectProblem(await start(id, liveKey), 402, 'upgrade_required');
    expectProblem(
      await app.post('/v1/verify/bulk', liveKey).send({ emails: ['a@b.example'] }),
      402,
      'upgrade_required',
    );

    const small = await app.anAccount('starter');
    const many = Array.from({ length: 1_001 }, (_, n) => `no address ${n}`);
    const long = await held(small.liveKey, many);
    expectProblem(await start(long.id, small.liveKey), 413, 'bulk_too_large');
    expectProblem(
      await app.post('/v1/verify/bulk', small.liveKey).send({ emails: many }),
      413,
      'bulk_too_large',
    );
    expect(await quota(small.liveKey)).toMatchObject({ used: 0, reserved: 0 });
    const suspended = await app.anAccount('suspended');
    expectProblem(
      await app.post('/v1/verify/bulk?hold=true', suspended.liveKey).send({ emails: ['a@b.example'] }),
      402,
      'upgrade_required',
    );
  });

  it('is taken without quota, and needs it at its start', async () => {
    const { liveKey } = await app.anAccount('starter');
    const all = await held(
      liveKey,
      Array.from({ length: 1_000 }, (_, n) => `no address ${n}`),
    );
    await start(all.id, liveKey);
    const { id } = await held(liveKey, ['no address']);
    expectProblem(await start(id, liveKey), 429, 'daily_quota_exceeded');
    expect((await jobOf(app, liveKey, id)).status).toBe('held');
    await app.post(`/v1/bulk-jobs/${all.id}/cancel`, liveKey);
    expect((await start(id, liveKey)).status).toBe(200);
    await verifyOn(app);
  });

  it('is deleted when it is canceled, and counts to the ten of a team until its rows are gone', async () => {
    const { liveKey } = await app.anAccount('starter');
    const jobs = [];
    for (let n = 0; n < 10; n++) jobs.push(await held(liveKey, ['no address']));
    const more = () => app.post('/v1/verify/bulk?hold=true', liveKey).send({ emails: ['no address'] });
    expectProblem(await more(), 409, 'too_many_held_lists');
    const canceled = await app.post(`/v1/bulk-jobs/${jobs[0]?.id}/cancel`, liveKey);
    const { id, status, usage, finished_at, expires_at } = canceled.body as BulkJobResponse;
    expect({ id, status }).toEqual({ id: jobs[0]?.id, status: 'canceled' });
    expect([usage.reserved, usage.returned, expires_at]).toEqual([0, 0, finished_at]);
    expectProblem(await start(id, liveKey), 404, 'not_found');
    expectProblem(await app.post(`/v1/bulk-jobs/${id}/cancel`, liveKey), 404, 'not_found');
    // Its rows are still there.
    expectProblem(await more(), 409, 'too_many_held_lists');
    await upkeepOf(app).deleteDue();
    expect((await more()).status).toBe(202);
    const listed = await app.get('/v1/bulk-jobs?status=held&limit=100', liveKey);
    expect((listed.body as { data: unknown[] }).data).toHaveLength(10);
  });

  it('is deleted with its rows after 24 hours, and cannot be read from then on', async () => {
    const { liveKey } = await app.anAccount('starter');
    const job = await held(liveKey, ['no address']);
    const keptMs = new Date(job.expires_at ?? 0).getTime() - new Date(job.created_at).getTime();
    expect(Math.round(keptMs / HOUR_MS)).toBe(24);
    app.clock.advance(23 * HOUR_MS);
    await upkeepOf(app).deleteDue();
    expect((await app.get(`/v1/bulk-jobs/${job.id}`, liveKey)).status).toBe(200);
    app.clock.advance(HOUR_MS);
    expect((await app.get(`/v1/bulk-jobs/${job.id}`, liveKey)).status).toBe(404);
    expect((await start(job.id, liveKey)).status).toBe(404);
    await upkeepOf(app).deleteDue();
    const left = await app.service.app
      .get(DataSource)
      .query<unknown[]>('SELECT FROM bulk_jobs WHERE id = $1', [job.id]);
    expect(left).toEqual([]);
  });
});
