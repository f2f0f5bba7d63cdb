import { expect, it } from '@jest/globals';
import type { Tracing } from '../../../kernel/tracing.js';
import type { LeasedChunk } from '../domain/chunk.repository.js';
import { BulkVerificationService } from './bulk-verification.service.js';

type Parts = ConstructorParameters<typeof BulkVerificationService>;

const CHUNK = { listId: '1', no: 1, teamId: 'team_a', mode: 'live', attempts: 1 } as unknown as LeasedChunk;
const AWAY = new Error('The database is away');

/** A service whose database fails for some releases. @returns the releases as [pause, counts], and the pauses. */
async function failing(releasesThatFail: number, signal = new AbortController().signal) {
  const released: [number, boolean][] = [];
  const pauses: number[] = [];
  const unused = {} as never;
  const chunks = {
    renew: async () => {},
    release: async (_: LeasedChunk, pauseSeconds: number, counts: boolean) => {
      released.push([pauseSeconds, counts]);
      if (released.length <= releasesThatFail) throw AWAY;
    },
  } as unknown as Parts[2];
  const teams = { access: () => Promise.reject(AWAY) } as unknown as Parts[7];
  const tracing = {
    run: (_: string, __: unknown, ___: unknown, work: () => unknown) => work(),
  } as unknown as Tracing;
  const clock = { pause: async (ms: number) => void pauses.push(ms) } as unknown as Parts[9];
  const parts: Parts = [
    ...[unused, unused, chunks, unused, unused, unused, unused, teams, tracing, clock],
  ] as unknown as Parts;
  await expect(new BulkVerificationService(...parts).verify(CHUNK, signal)).rejects.toBe(AWAY);
  return { released, pauses };
}

it('a chunk that fails is released with a pause, and the failure counts', async () => {
  expect(await failing(0)).toEqual({ released: [[5, true]], pauses: [] });
});

it('a chunk is released as soon as the database is back, and the failure is not counted', async () => {
  const { released, pauses } = await failing(3);
  expect(released).toEqual([
    [5, true],
    [0, false],
    [0, false],
    [0, false],
  ]);
  expect(pauses).toEqual([1_000, 1_000, 1_000]);
});

it('a chunk is given up when its lease has expired anyway, or the process shuts down', async () => {
  expect((await failing(1_000)).released).toHaveLength(60);
  expect((await failing(1_000, AbortSignal.abort())).released).toHaveLength(1);
});
