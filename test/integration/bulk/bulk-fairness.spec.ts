import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { BulkVerificationService } from '../../../src/modules/lists/bulk/work/bulk-verification.service.js';
import type { ListId } from '../../../src/kernel/ids.js';
import {
  ChunkRepository,
  type LeasedChunk,
} from '../../../src/modules/lists/bulk/domain/chunk.repository.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, claimNext, jobOf } from '../../support/app/bulk.js';
import { leaseOf } from '../../support/queue/team-work.js';

/** Twelve chunks of a test key. */
const LARGE = Array.from({ length: 24_000 }, (_, i) => `p${i}@example.com`);

describe('teams with jobs', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(() => app.stop());

  const listOf = async (id: string) => {
    const [row] = await app.service.app
      .get(DataSource)
      .query<{ list: ListId }[]>('SELECT list FROM bulk_jobs WHERE id = $1', [id]);
    return row!.list;
  };

  it('have only their own chunks claimed by their jobs', async () => {
    const [large, small] = [await app.anAccount(), await app.anAccount()];
    const chunks = app.service.app.get(ChunkRepository);
    const first = await aBulkJob(app, large.testKey, LARGE);
    const last = await aBulkJob(app, small.testKey, LARGE.slice(0, 600));
    expect([...(await chunks.listWaitingTeams())].sort()).toEqual([large.team.id, small.team.id].sort());
    const chunk = await chunks.claim(small.team.id);
    expect(chunk).toMatchObject({ teamId: small.team.id });
    expect(await chunks.claim(small.team.id)).toBeNull();
    await leaseOf(app, BulkVerificationService, chunk!).work(new AbortController().signal);
    expect((await jobOf(app, small.testKey, last.id)).status).toBe('completed');
    expect((await jobOf(app, large.testKey, first.id)).status).toBe('queued');
    await app.delete(`/v1/bulk-jobs/${first.id}`, large.testKey);
  });

  it('have the chunks of a list claimed in order by a process, from any chunk on', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, LARGE);
    const claimed: number[] = [];
    for (let slot = 0; slot < 12; slot++) claimed.push((await claimNext(app))?.no ?? -1);
    const [first = -1] = claimed;
    expect(claimed).toEqual(claimed.map((_, n) => (first + n) % 12));
    await app.delete(`/v1/bulk-jobs/${id}`, testKey);
  });

  it('have at most two chunks of a large domain verified at a time, and all others before the second', async () => {
    const { liveKey } = await app.anAccount();
    const others = Array.from({ length: 2_000 }, (_, i) => `p@company${i}.example`);
    const { id } = await aBulkJob(app, liveKey, [...LARGE.slice(0, 2_000), ...others]);
    const chunks = app.service.app.get(ChunkRepository);
    const list = await listOf(id);
    const claimed: LeasedChunk[] = [];
    for (let chunk = await claimNext(app); chunk !== null; chunk = await claimNext(app)) claimed.push(chunk);
    const isOfLarge = ({ servers }: LeasedChunk) => servers !== null;
    expect(claimed.filter(isOfLarge)).toHaveLength(2);
    expect(claimed.slice(0, -1).filter(isOfLarge)).toHaveLength(1);
    expect(claimed.length).toBeGreaterThan(5);
    await chunks.advance(list, [{ chunk: claimed.find(isOfLarge)!, results: [], isLast: true }]);
    expect((await claimNext(app))?.servers).toEqual(claimed.at(-1)?.servers);
    expect(await claimNext(app)).toBeNull();
    await app.delete(`/v1/bulk-jobs/${id}`, liveKey);
  });
});
