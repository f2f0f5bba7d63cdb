import { expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { RunningJobs } from './running-jobs.js';

it('the end aborts the signal of running jobs and waits for them', async () => {
  const jobs = new RunningJobs();
  const job = jobs.run(
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  expect(await jobs.end(60_000)).toBe(true);
  await job;
});

it('a job that ignores its signal fails at the end, so that its worker can close', async () => {
  const jobs = new RunningJobs();
  const job = jobs.run(() => new Promise(() => undefined));
  const failed = expect(job).rejects.toThrow('the process ends');
  expect(await jobs.end(1)).toBe(false);
  await failed;
});

it('a job that was fetched during the end gets an aborted signal', async () => {
  const jobs = new RunningJobs();
  await jobs.end(1);
  let aborted: boolean | null = null;
  await jobs.run(async (signal) => void (aborted = signal.aborted));
  expect(aborted).toBe(true);
});

it('many jobs at once share no signal, for whose listeners Node would warn of a leak', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  const jobs = new RunningJobs();
  const all = Array.from({ length: 100 }, () =>
    jobs.run((signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))),
  );
  await setImmediate();
  expect(await jobs.end(60_000)).toBe(true);
  await Promise.all(all);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
