import { expect, it } from '@jest/globals';
import { FakeClock } from '../../../../../test/support/time/fake-clock.js';
import { Lifecycle } from '../../../../kernel/service-state/lifecycle.js';
import type { Principal } from '../../../../kernel/principal.js';
import { BulkEventsService } from './bulk-events.service.js';
import type { BulkJobsService } from './bulk-jobs.service.js';

it('a stream that is revoked for another team ends like that of an ended job', async () => {
  const job = { id: 'job', isEnded: false };
  const jobs = { get: () => Promise.resolve(job), detailsOf: () => Promise.resolve({ job }) };
  const events = new BulkEventsService(jobs as unknown as BulkJobsService, new Lifecycle(), new FakeClock());
  const follow = (team: number) =>
    events.follow({ teamId: `team_${team}` } as Principal, 'job', () => Promise.resolve(true));
  const [first] = await Promise.all(
    Array.from({ length: 200 }, (_, index) => follow(Math.floor(index / 10))),
  );
  const states = first?.states[Symbol.asyncIterator]();
  expect(await states?.next()).toMatchObject({ done: false });
  const end = states?.next();
  await follow(20);
  expect(await end).toEqual({ done: true, value: undefined });
  await expect(follow(0).then(() => follow(0))).rejects.toMatchObject({
    definition: { code: 'too_many_streams' },
  });
});

it('looks for the preview of a held list four times a second in its first seconds, then once a second', async () => {
  const clock = new FakeClock();
  let reads = 0;
  const job = { id: 'job', isEnded: false, isHeld: true, hasPreview: false };
  const jobs = {
    get: () => Promise.resolve((reads++, { ...job })),
    detailsOf: () => Promise.resolve({ job }),
  };
  const events = new BulkEventsService(jobs as unknown as BulkJobsService, new Lifecycle(), clock);
  const caller = { teamId: 'team' } as unknown as Principal;
  const { states, end } = await events.follow(caller, 'job', () => Promise.resolve(true));
  const reading = states[Symbol.asyncIterator]();
  await reading.next();
  const waiting = reading.next();
  await clock.advance(5_000);
  expect(reads).toBe(1 + 20);
  await clock.advance(5_000);
  expect(reads).toBe(1 + 25);
  end();
  await waiting;
});
