import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rcpt, type ScheduleCreate } from '../../../clients/typescript/src/index.js';
import { anApp, type TestApp } from '../../support/app/app.js';

const NEW: ScheduleCreate = {
  name: 'Newsletter',
  every: 'week',
  source: { kind: 'url', url: 'https://example.com/list.csv', headers: { 'X-Key': 'secret' } },
};

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of items) found.push(id);
  return found;
}

describe('schedules of the TypeScript client', () => {
  let app: TestApp;
  let rcpt: Rcpt;
  beforeAll(async () => {
    app = await anApp();
    rcpt = new Rcpt({ baseUrl: app.url, apiKey: (await app.anAccount()).liveKey, maxRetries: 0 });
  });
  afterAll(() => app.stop());

  it('are created, read, listed, changed and deleted', async () => {
    const schedule = await rcpt.schedules.create(NEW);
    expect(schedule).toMatchObject({ name: 'Newsletter', source: { kind: 'url', headers: ['X-Key'] } });
    expect(await rcpt.schedules.get(schedule.id)).toEqual(schedule);
    const other = await rcpt.schedules.create({ ...NEW, every: 'day' });
    expect(await idsOf(rcpt.schedules.list())).toEqual([other.id, schedule.id]);
    expect(await rcpt.schedules.update(schedule, { at: 4, enabled: false })).toMatchObject({
      at: 4,
      enabled: false,
      every: 'week',
    });
    await rcpt.schedules.delete(other);
    await expect(rcpt.schedules.get(other)).rejects.toMatchObject({ code: 'not_found' });
    await expect(rcpt.schedules.update(schedule, { at: 24 })).rejects.toMatchObject({
      errors: [{ pointer: '/at' }],
    });
  });

  it('are checked before they are created', async () => {
    const check = await rcpt.schedules.check(NEW);
    expect(check).toMatchObject({ ok: false, failure: { code: expect.any(String) as unknown } });
    expect(await idsOf(rcpt.schedules.list())).toHaveLength(1);
  });

  it('are run, one run at a time, which are listed', async () => {
    const schedule = await rcpt.schedules.create(NEW);
    const run = await rcpt.schedules.run(schedule);
    expect(run).toMatchObject({ schedule_id: schedule.id, status: 'queued' });
    expect(await rcpt.schedules.run(schedule.id)).toEqual(run);
    expect(await idsOf(rcpt.schedules.runs(schedule))).toEqual([run.id]);
    // It does not wait for an answer.
    for (const answer of ['confirm', 'discard'] as const)
      await expect(rcpt.schedules[answer](schedule, run)).rejects.toMatchObject({
        code: 'no_confirmation_needed',
      });
  });
});
