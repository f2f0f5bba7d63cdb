import { describe, expect, it } from '@jest/globals';
import type { Estimate } from '../../../../kernel/outcomes.js';
import type { Verdict } from '../../../../kernel/verdict.js';
import { BulkJob, type JobState } from './bulk-job.js';
import type { AddressResult } from './list.repository.js';

const NOW = new Date('2030-01-01T00:00:00Z');
const CHARGE = {
  teamId: 'team_1',
  account: 'usr_1',
  day: '2030-01-01',
  units: 2,
  limit: 100,
  mode: 'live' as const,
};

function verdictOf(estimate: Pick<Estimate, 'low' | 'high'> | null): Verdict {
  const checks = { role: false };
  return { reason: 'accepted_email', checks, policy: { decision: 'accept' }, estimate } as Verdict;
}

/** A list of two addresses, in two chunks. */
function queued(): BulkJob {
  const job = new BulkJob('team_1', 'live', 7, NOW);
  job.measure({ total: 2, empty: 0, addresses: 2 }, 2);
  job.queue(CHARGE, NOW);
  return job;
}

const result = { rows: 1, verdict: verdictOf({ low: 0.9, high: 0.96 }) } as AddressResult;

const chunk = (job: BulkJob) => job.advance([result], { charged: 1, deferred: 0, chunks: 1 }, NOW);
const deferredChunk = (job: BulkJob) => job.advance([], { charged: 0, deferred: 1, chunks: 1 }, NOW);
const rechecked = (job: BulkJob) => job.advance([result], { charged: 1, deferred: -1, chunks: 0 }, NOW);
const lostChunk = (job: BulkJob) => job.advance([], { charged: 0, deferred: 0, chunks: 1 }, NOW);

/** The transitions of a job and when they apply. Only those without a caller count as a way to the end. */
const STEPS: {
  name: string;
  needsCaller: boolean;
  may: (job: BulkJob) => boolean;
  does: (job: BulkJob) => void;
}[] = [
  {
    name: 'a chunk is done',
    needsCaller: false,
    may: (job) => job.isOpen && job.chunksLeft > 0,
    does: (job) => void chunk(job),
  },
  {
    name: 'a chunk is deferred',
    needsCaller: false,
    may: (job) => job.isOpen && job.chunksLeft > 0,
    does: (job) => void deferredChunk(job),
  },
  {
    name: 'a chunk was lost',
    needsCaller: false,
    may: (job) => job.isOpen && job.chunksLeft > 0,
    does: (job) => void lostChunk(job),
  },
  {
    name: 'a deferred row is closed',
    needsCaller: false,
    may: (job) => job.isOpen && job.deferredLeft > 0,
    does: (job) => void rechecked(job),
  },
  {
    name: 'it is canceled',
    needsCaller: true,
    may: (job) => job.isOpen,
    does: (job) => void job.cancel(NOW),
  },
  {
    name: 'it is erased',
    needsCaller: false,
    may: (job) => job.isEnded || job.state === 'receiving',
    does: (job) => job.startErasure(NOW),
  },
];

const copyOf = (job: BulkJob): BulkJob =>
  Object.assign(new BulkJob(job.teamId, job.mode, job.retentionDays, NOW), job, {
    byReason: { ...job.byReason },
    bounces: { ...job.bounces },
  });

/** All states that a job can reach. */
function walk(from: BulkJob, seen = new Map<string, BulkJob>()): Map<string, BulkJob> {
  const key = JSON.stringify([from.state, from.chunksLeft, from.deferredLeft, from.processed]);
  if (seen.has(key)) return seen;
  seen.set(key, from);
  for (const step of STEPS.filter(({ may }) => may(from))) {
    const next = copyOf(from);
    step.does(next);
    walk(next, seen);
  }
  return seen;
}

function endsByItself(job: BulkJob): boolean {
  if (job.state === 'erasing') return true;
  return STEPS.filter(({ may, needsCaller }) => !needsCaller && may(job)).some((step) => {
    const next = copyOf(job);
    step.does(next);
    return endsByItself(next);
  });
}

describe('BulkJob', () => {
  const all = [...walk(queued()).values(), ...walk(new BulkJob('team_1', 'live', 7, NOW)).values()];

  it('reaches every state', () => {
    const states: JobState[] = [
      'receiving',
      'queued',
      'running',
      'completed',
      'canceled',
      'failed',
      'erasing',
    ];
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(states));
  });

  it('can reach its end from every state without a caller', () => {
    expect(all.filter((job) => !endsByItself(job))).toEqual([]);
  });

  it('has ended exactly when no work is left, or it was canceled', () => {
    for (const job of all.filter(({ state }) => !['receiving', 'erasing', 'canceled'].includes(state)))
      expect([job.state, job.isEnded]).toEqual([job.state, job.chunksLeft + job.deferredLeft === 0]);
  });

  it('is completed only with every row, and failed when rows were lost', () => {
    for (const job of all.filter(({ state }) => state === 'completed')) expect(job.processed).toBe(job.total);
    for (const job of all.filter(({ state }) => state === 'failed')) {
      expect(job.processed).toBeLessThan(job.total);
      expect(job.failure).toBe('input_unreadable');
    }
  });

  it('returns the event of its end with the last part only', () => {
    const job = queued();
    expect(chunk(job)).toBeNull();
    expect(deferredChunk(job)).toBeNull();
    expect(rechecked(job)).toMatchObject({ type: 'bulk_job.completed', data: { processed: 2 } });
  });

  it('expects bounces of all rows to which mail may be sent, once each has an estimate', () => {
    const job = queued();
    chunk(job);
    expect(job.expectedBounces).toBeNull();
    const rejected = {
      ...result,
      verdict: { ...verdictOf(null), policy: { decision: 'reject', rule: null } },
    };
    job.advance([rejected as AddressResult], { charged: 1, deferred: 0, chunks: 1 }, NOW);
    expect(job.expectedBounces).toEqual({ low: 0, high: 1 });
    const other = queued();
    chunk(other);
    other.advance([{ ...result, verdict: verdictOf(null) }], { charged: 1, deferred: 0, chunks: 1 }, NOW);
    expect(other.expectedBounces).toBeNull();
  });

  it('estimates the remaining time by the rate so far', () => {
    const job = queued();
    expect(job.etaSeconds(NOW)).toBeNull();
    chunk(job);
    expect(job.etaSeconds(new Date(NOW.getTime() + 10_000))).toBe(10);
    chunk(job);
    expect(job.etaSeconds(NOW)).toBeNull();
  });
});
