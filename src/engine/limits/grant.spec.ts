import { describe, expect, it } from '@jest/globals';
import { grantOf, type Share, type ShareRequest } from './grant.js';

const NOW = 100_000;
const TURN = 10_000;

const share = (process: string, more: Partial<Share>): Share => ({
  process,
  allowed: 0,
  held: more.allowed ?? 0,
  open: more.held ?? more.allowed ?? 0,
  wanted: 0,
  queued: 0,
  blockedBy: null,
  limit: 4,
  isLearned: false,
  proven: 0,
  sinceMs: NOW,
  ...more,
});

/** Of the process `m`, which sorts between `a` and `z`. */
interface Case {
  limit?: number;
  held?: number;
  wanted: number;
  isLearned?: boolean;
  last?: ShareRequest['last'];
  others?: readonly Share[];
}

function granted({ limit = 4, held = 0, wanted, isLearned = false, last = null, others = [] }: Case) {
  const demand = { held, open: held, wanted, queued: 0, blockedBy: null, limit, isLearned };
  const request = { process: 'm', ...demand, last };
  return grantOf(request, others, NOW, TURN);
}
const having = (allowed: number, forMs = 0, proven = 0) => ({ allowed, proven, sinceMs: NOW - forMs });

describe('a process', () => {
  it.each<[string, Case, number]>([
    ['gets what it wants while connections are free', { wanted: 2 }, 2],
    ['gets no more than the limit', { wanted: 9 }, 4],
    ['gets nothing that it does not want', { wanted: 0, held: 2, last: having(2) }, 0],
    [
      'gets no more than the lowest limit that a process knows',
      { wanted: 4, others: [share('a', { limit: 2 })] },
      2,
    ],
    [
      'gets what another one leaves free',
      { limit: 5, wanted: 5, others: [share('a', { allowed: 1, wanted: 1, limit: 5 })] },
      4,
    ],
    [
      'waits for those that another one holds, although they were taken from it',
      { wanted: 4, others: [share('a', { allowed: 2, held: 4, wanted: 4 })] },
      0,
    ],
    [
      'gets each as soon as another one has closed it',
      { wanted: 4, others: [share('a', { allowed: 2, held: 3, wanted: 4 })] },
      1,
    ],
    [
      'keeps its fair share when another one wants all',
      { held: 4, wanted: 4, last: having(4), others: [share('a', { wanted: 4 })] },
      2,
    ],
    [
      'keeps what another one does not need of its share',
      { held: 4, wanted: 4, last: having(4), others: [share('a', { wanted: 1 })] },
      3,
    ],
    [
      'keeps all while the others want nothing',
      { held: 4, wanted: 4, last: having(4), others: [share('a', {}), share('z', {})] },
      4,
    ],
    [
      'gets one, also with a limit below one for each',
      { limit: 1, wanted: 3, others: [share('a', { limit: 1 })] },
      1,
    ],
  ])('%s', (_, of, expected) => {
    expect(granted(of).grant.granted).toBe(expected);
  });

  it('learns of the open sessions of the others, of those with work, and whether one waits', () => {
    const others = [share('a', { allowed: 2, wanted: 3 }), share('z', { held: 1, open: 1 })];
    expect(granted({ wanted: 1, others }).grant).toEqual({
      granted: 1,
      others: 3,
      othersHeld: 3,
      contended: true,
      processes: 2,
      total: 4,
    });
  });
});

describe('where the total is learned a process', () => {
  const learned = (of: Partial<Case>): Case => ({ limit: 8, wanted: 8, isLearned: true, ...of });

  it.each<[string, Case, number]>([
    ['gets one connection first', learned({}), 1],
    [
      'gets none while the first one of another is being opened',
      learned({ others: [share('a', { allowed: 1, open: 0, limit: 8 })] }),
      0,
    ],
    ['gets one more than were seen open together', learned({ held: 2, last: having(2) }), 3],
    [
      'gets none while another one tries one more',
      learned({ others: [share('a', { allowed: 3, open: 2, limit: 8, proven: 2 })] }),
      0,
    ],
    ['gets what was seen before, although none is open now', learned({ last: having(0, 0, 5) }), 6],
    ['gets what another one has seen', learned({ others: [share('a', { limit: 8, proven: 3 })] }), 4],
    ['gets no more than a rejection has shown', learned({ held: 2, limit: 2, last: having(3) }), 2],
    [
      'gets no more than a rejection has shown another one',
      learned({ held: 2, last: having(2), others: [share('a', { limit: 2 })] }),
      2,
    ],
  ])('%s', (_, of, expected) => {
    expect(granted(of).grant.granted).toBe(expected);
  });
});

describe('with more processes than connections a process', () => {
  const busy = (process: string, forMs: number, allowed = 0) =>
    share(process, { allowed, wanted: 1, limit: 1, sinceMs: NOW - forMs });
  const full = (of: Partial<Case>): Case => ({ limit: 1, wanted: 3, ...of });

  it.each<[string, Case, number]>([
    ['keeps one for its turn', full({ held: 1, last: having(1, TURN - 1), others: [busy('a', 5)] }), 1],
    ['gives it up after its turn', full({ held: 1, last: having(1, TURN), others: [busy('a', 5)] }), 0],
    ['waits while another one has it', full({ last: having(0, 50), others: [busy('a', 5, 1)] }), 0],
    ['is next if it has waited longest', full({ last: having(0, 50), others: [busy('a', 40)] }), 1],
    [
      'is not next if another one has waited longer',
      full({ last: having(0, 50), others: [busy('z', 60)] }),
      0,
    ],
    [
      'is not next if an earlier name has waited as long',
      full({ last: having(0, 50), others: [busy('a', 50)] }),
      0,
    ],
    ['is next if a later name has waited as long', full({ last: having(0, 50), others: [busy('z', 50)] }), 1],
  ])('%s', (_, of, expected) => {
    expect(granted(of).grant.granted).toBe(expected);
  });

  it('waits from when it has lost its last connection, and has its turn from when it got the first', () => {
    const sinceOf = (of: Case) => granted(of).share.sinceMs;
    expect(sinceOf(full({ held: 1, last: having(1, TURN), others: [busy('a', 5)] }))).toBe(NOW);
    expect(sinceOf(full({ last: having(0, 50), others: [] }))).toBe(NOW);
    expect(sinceOf(full({ last: having(0, 50), others: [busy('a', 5, 1)] }))).toBe(NOW - 50);
    expect(sinceOf(full({ held: 1, last: having(1, 50) }))).toBe(NOW - 50);
  });
});
