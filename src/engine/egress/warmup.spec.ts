import { describe, expect, it } from '@jest/globals';
import { aPlan } from '../../../test/support/verification/warmup.js';
import {
  isVoteAgainst,
  probesLeftFor,
  warmupOn,
  type WarmupDay,
  type WarmupPlan,
  type WarmupVotes,
} from './warmup.js';

const START = 100;
const TODAY = '2026-11-22';
const plan = aPlan({ google: START });

const yesterday = (part: Partial<WarmupDay> = {}): WarmupDay => ({
  day: '2026-11-21',
  ceiling: START,
  used: START,
  ...part,
});
const NO_REFUSALS = { teams: 1, rejected: 0 };
const REFUSED = { teams: 1, rejected: 1 };
const ceilingAfter = (part: Partial<WarmupDay>, votes = NO_REFUSALS) =>
  warmupOn(TODAY, yesterday(part), votes, START, plan).ceiling;

describe('the daily ceiling of a new egress', () => {
  it('begins with the start of the plan', () => {
    const first = warmupOn(TODAY, null, { teams: 0, rejected: 0 }, START, plan);
    expect(first).toEqual({ day: TODAY, ceiling: START, used: 0 });
  });

  it.each([
    ['grows by the factor after a day that used it', {}, NO_REFUSALS, 200],
    ['grows after a day that used half of it', { used: 50 }, NO_REFUSALS, 200],
    ['stays after a day that used less', { ceiling: 400, used: 199 }, NO_REFUSALS, 400],
    ['grows when no team has a vote', {}, { teams: 0, rejected: 0 }, 200],
    ['falls by the factor when the only team met refusals', { ceiling: 400, used: 400 }, REFUSED, 200],
    ['falls when most teams met refusals', { ceiling: 400, used: 400 }, { teams: 3, rejected: 2 }, 200],
    ['grows when one of two teams met refusals', {}, { teams: 2, rejected: 1 }, 200],
    ['never falls below the start', {}, REFUSED, START],
    ['ends when it has grown above the limit of the plan', { ceiling: 600, used: 600 }, NO_REFUSALS, null],
    ['stays ended', { ceiling: null, used: 0 }, REFUSED, null],
    ['begins anew after thirty days without use', { day: '2026-10-22', ceiling: null }, NO_REFUSALS, START],
    ['rises to a start that the operator has raised', { ceiling: 40, used: 0 }, NO_REFUSALS, START],
  ] as const)('%s', (_, day, votes: WarmupVotes, ceiling) => {
    expect(ceilingAfter(day, votes)).toBe(ceiling);
  });

  it('is not changed within the day', () => {
    const today = yesterday({ day: TODAY, used: 7 });
    expect(warmupOn(TODAY, today, REFUSED, START, plan)).toEqual(today);
  });
});

it('a team votes against the ceiling with more refusals than the plan allows, from ten probes on', () => {
  const votes = (used: number, rejected: number, of: WarmupPlan = plan) => isVoteAgainst(used, rejected, of);
  expect([votes(9, 9), votes(10, 1), votes(10, 2), votes(100, 10)]).toEqual([null, false, true, false]);
});

describe('the part of a team', () => {
  /** Probes that each of the teams can take at this time, one team after the other. */
  const partsOf = (teams: number, dayLeft: number, ceiling = START) => {
    let used = 0;
    return Array.from({ length: teams }, () => {
      const part = probesLeftFor({ day: TODAY, ceiling, used }, 0, dayLeft);
      used += part;
      return part;
    });
  };

  it('is half of what the other teams have left, so that none can use up the ceiling of another', () => {
    expect(partsOf(4, 1)).toEqual([50, 25, 12, 6]);
  });

  it('grows in the course of the day to all that is left', () => {
    expect([partsOf(1, 1), partsOf(1, 0.5), partsOf(1, 0)]).toEqual([[50], [75], [100]]);
    expect(probesLeftFor({ day: TODAY, ceiling: START, used: 50 }, 50, 0.5)).toBe(25);
  });

  it('is at least one probe while any is left', () => {
    expect(partsOf(3, 1, 2)).toEqual([1, 1, 0]);
  });

  it('is not limited once the ceiling has ended', () => {
    expect(probesLeftFor({ day: TODAY, ceiling: null, used: 5_000 }, 5_000, 1)).toBe(Infinity);
  });
});
