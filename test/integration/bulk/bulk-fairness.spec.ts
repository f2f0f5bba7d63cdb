import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { BulkVerificationService } from '../../../src/modules/bulk/bulk-verification.service.js';
import type { LeasedChunk } from '../../../src/modules/bulk/domain/chunk.js';
import { ChunkRepository } from '../../../src/modules/bulk/domain/chunk.repository.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf } from '../../support/app/bulk.js';

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
      .query<{ list: string }[]>('SELECT list FROM bulk_jobs WHERE id = $1', [id]);
    return row?.list ?? '';
  };

  it('are served in turn: a large job does not delay a small one submitted later', async () => {
    const [large, small] = [await app.anAccount(), await app.anAccount()];
    const bulk = app.service.app.get(BulkVerificationService);
    const first = await aBulkJob(app, large.testKey, LARGE);
    const { signal } = new AbortController();
    await bulk.verifyNext(signal);
    await aBulkJob(app, large.testKey, LARGE);
    const last = await aBulkJob(app, small.testKey, LARGE.slice(0, 600));
    await bulk.verifyNext(signal);
    await bulk.verifyNext(signal);
    await bulk.verifyNext(signal);
    expect((await jobOf(app, small.testKey, last.id)).status).toBe('completed');
    expect((await jobOf(app, large.testKey, first.id)).status).toBe('running');
    for (const { id } of [first, last]) await app.delete(`/v1/bulk-jobs/${id}`, large.testKey);
    while (await bulk.verifyNext(signal));
  });

  it('have the chunks of a list claimed in order by a process, from any chunk on', async () => {
    const { testKey } = await app.anAccount();
    const { id } = await aBulkJob(app, testKey, LARGE);
    const chunks = app.service.app.get(ChunkRepository);
    const claimed: number[] = [];
    for (let slot = 0; slot < 12; slot++) claimed.push((await chunks.claimChunk())?.no ?? -1);
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
    for (let chunk = await chunks.claimChunk(); chunk !== null; chunk = await chunks.claimChunk())
      claimed.push(chunk);
    const isOfLarge = ({ servers }: LeasedChunk) => servers !== null;
    expect(claimed.filter(isOfLarge)).toHaveLength(2);
    expect(claimed.slice(0, -1).filter(isOfLarge)).toHaveLength(1);
    expect(claimed.length).toBeGreaterThan(5);
    await chunks.advance(list, [{ ...claimed.find(isOfLarge)!, recorded: 1, isLast: true }]);
    expect((await chunks.claimChunk())?.servers).toEqual(claimed.at(-1)?.servers);
    expect(await chunks.claimChunk()).toBeNull();
    await app.delete(`/v1/bulk-jobs/${id}`, liveKey);
  });

  it('share the slots evenly, whatever the number of their jobs', async () => {
    const teams = [await app.anAccount(), await app.anAccount(), await app.anAccount()];
    const owner = new Map<string, number>();
    for (const [team, jobs] of [4, 1, 1].entries()) {
      for (let job = 0; job < jobs; job++) {
        const { id } = await aBulkJob(app, teams[team]?.testKey ?? '', LARGE);
        owner.set(await listOf(id), team);
      }
    }
    const parts = app.service.app.get(ChunkRepository);
    const held = [0, 0, 0];
    for (let slot = 0; slot < 9; slot++) {
      const chunk = await parts.claimChunk();
      const team = owner.get(chunk?.list ?? '') ?? -1;
      held[team] = (held[team] ?? 0) + 1;
    }
    expect(held).toEqual([3, 3, 3]);
  });
});
