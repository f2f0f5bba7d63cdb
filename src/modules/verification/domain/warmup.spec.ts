import { describe, expect, it } from '@jest/globals';
import { aPlan } from '../../../../test/support/verification/warmup.js';
import { takeBlock, type BlockRequest, type WarmupDay } from './warmup.js';

const START = 100;
const TODAY = '2026-11-22';
const plan = aPlan({ google: START });
const ALONE = { mine: 0, others: [], dayLeft: 0 };
const NOTHING: BlockRequest = { day: null, returned: 0, refused: 0, needsBlock: true };

const take = (stored: WarmupDay | null, request: Partial<BlockRequest> = {}, today = TODAY) =>
  takeBlock(stored, { ...NOTHING, ...request }, { today, start: START, plan, division: ALONE });
const yesterday = (part: Partial<WarmupDay> = {}): WarmupDay => ({
  day: '2026-11-21',
  ceiling: START,
  used: START,
  refused: 0,
  ...part,
});
/** The ceiling of today after this day. */
const ceilingAfter = (part: Partial<WarmupDay>) => take(yesterday(part)).day.ceiling;

describe('the daily ceiling of a new egress', () => {
  it('begins with the start of the plan', () => {
    expect(take(null).day).toEqual({ day: TODAY, ceiling: START, used: 5, refused: 0 });
  });

  it('is never exceeded by the blocks of a day, which shrink to nothing', () => {
    let day: WarmupDay | null = null;
    const granted: (number | null)[] = [];
    for (let n = 0; n < 25; n += 1) {
      const taken = take(day);
      day = taken.day;
      granted.push(taken.granted);
    }
    expect(granted).toEqual([...Array<number>(20).fill(5), 0, 0, 0, 0, 0]);
    expect(day).toMatchObject({ used: START });
  });

  it('counts probes that were returned as not sent', () => {
    const full = take(yesterday({ day: TODAY }), { day: TODAY, returned: 3, refused: 1 });
    expect(full).toMatchObject({ day: { day: TODAY, ceiling: START, used: START, refused: 1 }, granted: 3 });
  });

  it('ignores what is returned of another day than the stored one', () => {
    expect(take(yesterday(), { day: '2026-11-20', returned: 50, refused: 99 }).day.ceiling).toBe(200);
  });

  it.each([
    ['grows by the factor after a day that used it', {}, 200],
    ['grows after a day that used half of it', { used: 50 }, 200],
    ['stays after a day that used less', { ceiling: 400, used: 199 }, 400],
    ['grows while refusals are rare', { refused: 10 }, 200],
    ['falls by the factor after a day of refusals', { ceiling: 400, used: 400, refused: 41 }, 200],
    ['never falls below the start', { refused: 90 }, START],
    ['takes no notice of refusals of a few probes', { ceiling: 400, used: 9, refused: 9 }, 400],
    ['ends when it has grown above the limit of the plan', { ceiling: 600, used: 600 }, null],
    ['stays ended', { ceiling: null, used: 0, refused: 5 }, null],
    ['begins anew after thirty days without use', { day: '2026-10-22', ceiling: null }, START],
    ['rises to a start that the operator has raised', { ceiling: 40, used: 0 }, START],
  ] as const)('%s', (_, day, ceiling) => {
    expect(ceilingAfter(day)).toBe(ceiling);
  });

  it('grants any number once it has ended', () => {
    expect(take(yesterday({ ceiling: null })).granted).toBeNull();
  });

  it('reports alone take no block', () => {
    const reported = take(yesterday({ day: TODAY, used: 10 }), {
      day: TODAY,
      returned: 2,
      needsBlock: false,
    });
    expect(reported).toMatchObject({ granted: 0, day: { used: 8 } });
  });
});
