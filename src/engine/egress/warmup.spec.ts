import { describe, expect, it } from '@jest/globals';
import { aPlan } from '../../../test/support/verification/warmup.js';
import {
  afterEvents,
  NEVER_USED,
  probesLeftFor,
  type TeamProbes,
  type WarmupDay,
  type WarmupEvent,
} from './warmup.js';

const START = 100;
const TODAY = '2026-11-22';
const plan = aPlan({ google: START });
const after = (last: WarmupDay, events: readonly WarmupEvent[] = [], dayLeft = 0) =>
  afterEvents(last, events, { today: TODAY, dayLeft }, START, plan);

/** The probes and rejections of each team. */
const teamsWith = (...probes: readonly (readonly [number, number])[]): Record<string, TeamProbes> =>
  Object.fromEntries(probes.map(([used, rejected], n) => [`team_${n}`, { used, rejected }]));
const yesterday = (part: Partial<WarmupDay> = {}): WarmupDay => ({
  day: '2026-11-21',
  ceiling: START,
  used: START,
  teams: {},
  ...part,
});
const NO_REJECTIONS = teamsWith([100, 0]);
const REJECTED = teamsWith([100, 100]);

describe('the daily ceiling of a new egress', () => {
  it('begins with the start of the plan', () => {
    expect(after(NEVER_USED).day).toEqual({ day: TODAY, ceiling: START, used: 0, teams: {} });
  });

  it.each([
    ['grows by the factor after a day that used it', {}, NO_REJECTIONS, 200],
    ['grows after a day that used half of it', { used: 50 }, NO_REJECTIONS, 200],
    ['stays after a day that used less', { ceiling: 400, used: 199 }, NO_REJECTIONS, 400],
    ['grows when no team has a vote', {}, {}, 200],
    [
      'grows when the only rejections are those of a team with less than ten probes',
      {},
      teamsWith([9, 9]),
      200,
    ],
    ['falls after rejections of a team with ten probes', { ceiling: 400 }, teamsWith([10, 2]), 200],
    ['grows after rejections that the plan allows', {}, teamsWith([10, 1]), 200],
    ['falls by the factor when the only team met rejections', { ceiling: 400, used: 400 }, REJECTED, 200],
    [
      'falls when most teams met rejections',
      { ceiling: 400, used: 400 },
      teamsWith([50, 6], [50, 6], [300, 0]),
      200,
    ],
    ['grows when one of two teams met rejections', {}, teamsWith([50, 50], [50, 5]), 200],
    ['never falls below the start', {}, REJECTED, START],
    ['ends when it has grown above the limit of the plan', { ceiling: 600, used: 600 }, NO_REJECTIONS, null],
    ['stays ended', { ceiling: null, used: 0 }, REJECTED, null],
    ['begins anew after thirty days without use', { day: '2026-10-22', ceiling: null }, NO_REJECTIONS, START],
    ['rises to a start that the operator has raised', { ceiling: 40, used: 0 }, NO_REJECTIONS, START],
  ] as const)('%s', (_, part: Partial<WarmupDay>, teams: WarmupDay['teams'], ceiling) => {
    expect(after(yesterday({ ...part, teams })).day).toEqual({ day: TODAY, ceiling, used: 0, teams: {} });
  });

  it('is not changed within the day', () => {
    const today = yesterday({ day: TODAY, used: 7, teams: REJECTED });
    expect(after(today).day).toEqual(today);
  });
});

describe('the probes of a day', () => {
  const by = (team: string, ...kinds: WarmupEvent['kind'][]) => kinds.map((kind) => ({ kind, team }));

  it('are counted by team and in total, and no more are granted than are left', () => {
    const today = yesterday({ day: TODAY, used: 97, teams: teamsWith([97, 0]) });
    const events = [...by('team_0', 'probe', 'rejection'), ...by('team_1', 'probe', 'probe', 'probe')];
    const { day, granted } = after(today, events);
    expect(granted).toEqual([true, true, true, true, false]);
    expect(day).toEqual({ ...today, used: 100, teams: { ...teamsWith([98, 1], [2, 0]) } });
    expect(today.used).toBe(97);
  });

  it('that were not sent are returned only by a team that has used some', () => {
    const today = yesterday({ day: TODAY, used: 5, teams: teamsWith([1, 0], [3, 0]) });
    const returned = by('team_0', 'return', 'return');
    const { day, granted } = after(today, [...returned, ...by('team_none', 'return', 'rejection')]);
    expect(granted).toEqual([true, false, false, false]);
    expect(day).toEqual({ ...today, used: 4, teams: { team_1: { used: 3, rejected: 0 } } });
  });

  it('are not counted once the ceiling has ended', () => {
    const today = yesterday({ day: TODAY, ceiling: null, used: 0 });
    expect(after(today, by('team_0', 'probe', 'rejection'))).toMatchObject({
      day: today,
      granted: [true, true],
    });
  });
});

describe('the part of a team', () => {
  /** Probes that each of the teams can take at this time, one team after the other. */
  const partsOf = (teams: number, dayLeft: number, ceiling = START) => {
    let used = 0;
    return Array.from({ length: teams }, () => {
      const part = probesLeftFor('team_new', { day: TODAY, ceiling, used, teams: {} }, dayLeft);
      used += part;
      return part;
    });
  };

  it('is half of what the other teams have left, so that none can use up the ceiling of another', () => {
    expect(partsOf(4, 1)).toEqual([50, 25, 12, 6]);
  });

  it('grows in the course of the day to all that is left', () => {
    expect([partsOf(1, 1), partsOf(1, 0.5), partsOf(1, 0)]).toEqual([[50], [75], [100]]);
    expect(
      probesLeftFor('team_0', { day: TODAY, ceiling: START, used: 50, teams: teamsWith([50, 0]) }, 0.5),
    ).toBe(25);
  });

  it('is at least one probe while any is left', () => {
    expect(partsOf(3, 1, 2)).toEqual([1, 1, 0]);
  });

  it('is not limited once the ceiling has ended', () => {
    expect(probesLeftFor('team_0', { ...NEVER_USED, ceiling: null }, 1)).toBe(Infinity);
  });
});
