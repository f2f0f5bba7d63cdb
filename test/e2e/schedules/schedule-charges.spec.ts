import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { TiersService } from '../../../src/modules/identity/tiers/tiers.service.js';
import { jobOf, resultsOf, workOn } from '../../support/app/bulk.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { ScheduleApp } from '../../support/schedules/schedule-app.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const JANE = 'jane@plain.mailworld';

let mail: MailWorld;
let world: ScheduleApp;
let account: NewAccount;
beforeAll(async () => {
  const scene = { domain: 'plain.mailworld', servers: [plain], story: '', expect: {} };
  mail = await MailWorld.start({ scenes: [scene] });
  world = await ScheduleApp.start(mail.env);
});
beforeEach(async () => {
  account = await world.app.anAccount('growth');
});
afterAll(async () => {
  await world.stop();
  await mail.stop();
});

async function aSchedule(maxAgeDays: number, content = `email\n${JANE}\n`) {
  const source = await world.aSource(content);
  return world.aSchedule(account, { kind: 'url', url: source.url }, { max_age_days: maxAgeDays });
}

/** Runs it. @returns what it has charged, with the results. */
async function runOf(schedule: { id: string }) {
  const { status, unchanged, verified, job_id: id } = await world.run(schedule, account);
  expect(status).toBe('completed');
  if (id === null) return { unchanged, verified, charged: 0, rows: [] };
  const { usage } = await jobOf(world.app, account.liveKey, id);
  return {
    unchanged,
    verified,
    charged: usage.charged,
    rows: await resultsOf(world.app, account.liveKey, id),
  };
}
const jobs = async () =>
  ((await world.app.get('/v1/bulk-jobs', account.liveKey)).body as { data: unknown[] }).data;

describe('a row of a schedule', () => {
  it('is verified anew when it is charged again, and no stored result is charged twice', async () => {
    const schedule = await aSchedule(1);
    expect(await runOf(schedule)).toMatchObject({
      charged: 1,
      rows: [{ status: 'deliverable', cached: false }],
    });
    world.app.clock.advance(23 * HOUR_MS);
    expect(await runOf(schedule)).toMatchObject({ unchanged: 1, charged: 0 });
    // The stored facts are kept for a week.
    for (let day = 0; day < 2; day++) {
      world.app.clock.advance(25 * HOUR_MS);
      expect(await runOf(schedule)).toMatchObject({ charged: 1, rows: [{ cached: false }] });
      expect(await runOf(schedule)).toMatchObject({ unchanged: 1, charged: 0 });
    }
  });

  it('that is new takes a stored result of the team which is young enough, once', async () => {
    await world.app.get(`/v1/verify?email=${JANE}`, account.liveKey);
    world.app.clock.advance(DAY_MS);
    const schedule = await aSchedule(2);
    expect(await runOf(schedule)).toMatchObject({ charged: 1, rows: [{ cached: true }] });
    world.app.clock.advance(23 * HOUR_MS);
    expect(await runOf(schedule)).toMatchObject({ unchanged: 1 });
    world.app.clock.advance(2 * HOUR_MS);
    expect(await runOf(schedule)).toMatchObject({ charged: 1, rows: [{ cached: false }] });
  });

  it('whose mail has bounced long ago is charged once in its age', async () => {
    const at = new Date(world.app.clock.now().getTime() - 60 * DAY_MS).toISOString();
    const outcome = { email: JANE, outcome: 'bounced', reply: '550 5.1.1 User unknown', at };
    await world.app.post('/v1/outcomes', account.liveKey).send(outcome);
    const schedule = await aSchedule(30);
    expect(await runOf(schedule)).toMatchObject({ charged: 1, rows: [{ reason: 'bounced' }] });
    expect(await runOf(schedule)).toMatchObject({ unchanged: 1, charged: 0 });
    world.app.clock.advance(31 * DAY_MS);
    expect(await runOf(schedule)).toMatchObject({ unchanged: 0, charged: 1 });
  });

  it('is as old as the tier allows results to be, where the tier has no `refresh`', async () => {
    const tier = world.app.service.app.get(TiersService).get('growth');
    const before = { ...tier };
    Object.assign(tier, { refresh: false, minMaxAge: 3 * 86_400 });
    try {
      const schedule = await aSchedule(1);
      await runOf(schedule);
      world.app.clock.advance(2 * DAY_MS);
      expect(await runOf(schedule)).toMatchObject({ unchanged: 1 });
      world.app.clock.advance(2 * DAY_MS);
      expect(await runOf(schedule)).toMatchObject({ charged: 1, rows: [{ cached: false }] });
    } finally {
      Object.assign(tier, before);
    }
  });

  it('is not charged again when the list of its run has failed', async () => {
    const schedule = await aSchedule(30, 'email\none@list.invalid\ntwo@list.invalid\n');
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    await workOn(world.app);
    const [{ job_id } = { job_id: null }] = await world.runsOf(schedule, account);
    await world.runs.jobEnded(job_id ?? '', 'failed');
    await world.app.dispatchEvents();
    expect(await runOf(schedule)).toMatchObject({ unchanged: 2, verified: 0 });
    expect(await jobs()).toHaveLength(1);
    const [, failed] = await world.runsOf(schedule, account);
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'job_failed' }, new: 2 });
  });

  it('is verified anew when the list of its failed run was deleted', async () => {
    const schedule = await aSchedule(30, 'email\none@list.invalid\n');
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    const [{ job_id } = { job_id: null }] = await world.runsOf(schedule, account);
    await world.app.delete(`/v1/bulk-jobs/${job_id}`, account.liveKey);
    await world.app.dispatchEvents();
    expect(await runOf(schedule)).toMatchObject({ unchanged: 0, verified: 1 });
  });
});
