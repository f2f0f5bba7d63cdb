import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { ScheduleRunRepository } from '../../../src/modules/lists/schedules/domain/schedule-run.repository.js';
import { ScheduleRunsService } from '../../../src/modules/lists/schedules/schedule-runs.service.js';
import type { TestApp } from '../../support/app/app.js';
import { jobOf, workOn } from '../../support/app/bulk.js';
import { advanceRuns, ScheduleApp } from '../../support/schedules/schedule-app.js';
import { ScriptedListmonk } from '../../support/schedules/scripted-listmonk.js';

const DAY_MS = 86_400_000;

let world: ScheduleApp;
let other: TestApp;
let account: NewAccount;
beforeAll(async () => {
  world = await ScheduleApp.start();
  other = await world.another();
});
beforeEach(async () => {
  account = await world.app.anAccount();
});
afterAll(async () => {
  await other.stop();
  await world.stop();
});

const signal = () => new AbortController().signal;
const claimIn = ({ service: { app } }: TestApp, team = account.team.id) =>
  app.get(ScheduleRunsService).claim(team);
const waiting = () => world.app.service.app.get(ScheduleRunRepository).listWaitingTeams();

async function requestedRuns(count: number, of = account): Promise<string[]> {
  const source = await world.aSource();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await world.aSchedule(of, { kind: 'url', url: source.url });
    await world.app.post(`/v1/schedules/${id}/run`, of.liveKey);
    ids.push(id);
  }
  return ids;
}

describe('two processes', () => {
  it('that want the run of a team at the same time claim one, and each run once', async () => {
    await requestedRuns(3);
    const claimed: string[] = [];
    while (claimed.length < 3) {
      const claims = [world.app, other, other, world.app].map((app) => claimIn(app));
      const [leased, ...more] = (await Promise.all(claims)).filter((each) => each !== null);
      expect(more).toEqual([]);
      expect(leased).toBeDefined();
      claimed.push(leased!.run.id);
      await world.advanceRun(leased!, signal());
    }
    expect(new Set(claimed).size).toBe(3);
  });

  it('that start what is due at the same time start each schedule once', async () => {
    const source = await world.aSource();
    const schedules = [];
    for (let n = 0; n < 3; n++)
      schedules.push(await world.aSchedule(account, { kind: 'url', url: source.url }));
    for (const { clock } of [world.app, other]) clock.advance(DAY_MS);
    const runs = [world.app, other].map(({ service: { app } }) => app.get(ScheduleRunsService));
    await Promise.all(runs.map((each) => each.startDue()));
    for (const schedule of schedules) expect(await world.runsOf(schedule, account)).toHaveLength(1);
    await world.work();
  });

  it('of which one is killed while it writes: the other one continues, and nothing is written or charged twice', async () => {
    const listmonk = await ScriptedListmonk.start();
    const readers = ['one', 'two'].map((name) => listmonk.add(`${name}@list.invalid`));
    const action = { on_result: { listmonk: 'attributes' } };
    const schedule = await world.aSchedule(account, listmonk.source(), action);
    await world.app.post(`/v1/schedules/${schedule.id}/run`, account.liveKey);
    await world.advance();
    await workOn(world.app);
    await world.app.dispatchEvents();
    const leased = await claimIn(world.app);
    // The first change arrives, and its answer does not: the process is killed before.
    const killed = new AbortController();
    const isWritten = new Promise<void>((resolve) => {
      listmonk.instead = ({ method, path, body }) => {
        if (method !== 'PATCH') return false;
        const [id] = /\d+$/.exec(path) ?? [];
        Object.assign(listmonk.subscribers.get(Number(id))!.attribs, body?.attribs);
        if (readers.every(({ attribs }) => 'rcpt' in attribs)) resolve();
        return true;
      };
    });
    const work = world.advanceRun(leased!, killed.signal);
    await isWritten;
    listmonk.instead = () => false;
    await world.endLeases();
    await advanceRuns(other);
    killed.abort();
    await work;
    const [run] = await world.runsOf(schedule, account);
    expect(run).toMatchObject({ status: 'completed', verified: 2, new: 2, not_written: 0 });
    expect(listmonk.paths('PATCH')).toHaveLength(2);
    const { usage } = await jobOf(world.app, account.liveKey, run?.job_id ?? '');
    expect(usage).toMatchObject({ charged: 2 });
    const ends = await world.sql(`SELECT FROM outbox WHERE team_id = $1 AND type = 'schedule.completed'`, [
      account.team.id,
    ]);
    expect(ends).toHaveLength(1);
    await listmonk.stop();
  });
});

describe('the runs of many teams', () => {
  it('are one at a time of each, so that a team with many delays no other one', async () => {
    const [many, few] = [account, await world.app.anAccount()];
    await requestedRuns(5, many);
    await requestedRuns(1, few);
    const [first, second, third] = [
      await claimIn(world.app, many.team.id),
      await claimIn(other, many.team.id),
      await claimIn(other, few.team.id),
    ];
    expect([first?.run.teamId, second, third?.run.teamId]).toEqual([many.team.id, null, few.team.id]);
    await world.endLeases();
    expect(new Set(await waiting())).toEqual(new Set([many.team.id, few.team.id]));
    await world.work();
  });

  it('that are due at the same hour are started by the hundred', async () => {
    const { id } = await world.aSchedule(account, { kind: 'url', url: (await world.aSource()).url });
    await world.sql(
      `INSERT INTO schedules (id, team_id, name, every, at_hour, source, max_age_days, on_result, enabled, next_run_at,
         created_at, weekday, day_of_month)
       SELECT id || n, team_id, name, every, at_hour, source, max_age_days, on_result, enabled, next_run_at, created_at,
         weekday, day_of_month
         FROM schedules, generate_series(1, 119) n WHERE id = $1`,
      [id],
    );
    await world.sql('UPDATE schedules SET enabled = false WHERE team_id <> $1', [account.team.id]);
    world.app.clock.advance(DAY_MS);
    const started = [];
    for (let n = 0; n < 3; n++) started.push(await world.runs.startDue());
    await world.sql('DELETE FROM schedules WHERE team_id = $1', [account.team.id]);
    await world.sql('DELETE FROM schedule_runs WHERE team_id = $1', [account.team.id]);
    expect(started).toEqual([100, 20, 0]);
  });
});
