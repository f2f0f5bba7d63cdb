import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/time/fake-clock.js';
import type { RandomProbe } from '../probe.js';
import type { Requester } from '../../../kernel/concurrency/fair-queue.js';
import { RandomProbes } from './random-probes.js';

const rowOfA: Requester = { team: 'team_a', priority: 'list' };
const callOfA: Requester = { team: 'team_a', priority: 'single' };
const callOfB: Requester = { team: 'team_b', priority: 'single' };
const NEVER = new AbortController().signal;

let probes: RandomProbes;
/** Resolves the pending probes in order. */
let pending: ((answer: NonNullable<RandomProbe>) => void)[];

beforeEach(() => {
  probes = new RandomProbes(new FakeClock());
  pending = [];
});

function join(requester: Requester, signal = NEVER): Promise<NonNullable<RandomProbe>> {
  const asked = () => new Promise<NonNullable<RandomProbe>>((resolve) => pending.push(resolve));
  return probes.join('corp.test 192.0.2.1', requester, signal, asked);
}

describe('a probe of a random address', () => {
  it('is made once for all rows of a team’s lists', async () => {
    const answers = [join(rowOfA), join(rowOfA), join(rowOfA)];
    expect(pending).toHaveLength(1);
    pending[0]?.('rejected');
    expect(await Promise.all(answers)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it.each([
    ['another team', callOfB],
    ['a single call of the same team', callOfA],
  ])('is made again for %s: it does not wait behind list rows', async (_, requester) => {
    const row = join(rowOfA);
    const call = join(requester);
    pending[1]?.('accepted');
    expect(await call).toBe('accepted');
    pending[0]?.('accepted');
    expect(await row).toBe('accepted');
  });

  it('is not repeated, by any requester, once it has a result', async () => {
    const row = join(rowOfA);
    pending[0]?.('rejected');
    await row;
    expect(await Promise.all([join(callOfA), join(callOfB)])).toEqual(['rejected', 'rejected']);
    expect(pending).toHaveLength(1);
  });

  it('is repeated after an abort', async () => {
    const hasty = new AbortController();
    const first = join(rowOfA, hasty.signal);
    hasty.abort();
    pending[0]?.('unusable');
    expect(await first).toBe('unusable');
    const second = join(callOfB);
    pending[1]?.('rejected');
    expect(await second).toBe('rejected');
  });
});
