import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  answeredBy,
  asked,
  atMicrosoft,
  REJECTIONS,
  rejectedBy,
} from '../../../test/support/verification/rejections.js';
import { RUNS } from '../../../test/support/verification/property-runs.js';
import { Breakers } from './breakers.js';

const WINDOW_MS = 10 * 60_000;
const SHARED_MX = 'mx.shared.test';

interface Event {
  team: number;
  domain: number;
  /** The subject of a rejection; null: an answer. */
  rejection: keyof typeof REJECTIONS | null;
  afterMs: number;
}

const WHOM: Event['rejection'][] = [
  'sender',
  'sender',
  'sender',
  'sender',
  'sender',
  'sender',
  'sender',
  'team',
  'recipient',
  'nobody',
  null,
];
const anEvent = (most: { teams: number; domains: number }): fc.Arbitrary<Event> =>
  fc.record({
    team: fc.nat(most.teams - 1),
    domain: fc.nat(most.domains - 1),
    rejection: fc.constantFrom(...WHOM),
    afterMs: fc.constantFrom(0, 0, 0, 0, 0, 1_000, 60_000, 200_000),
  });
const events = fc.array(anEvent({ teams: 5, domains: 14 }), { minLength: 5, maxLength: 80 });

const eventsOfThree = fc.array(anEvent({ teams: 3, domains: 14 }), { minLength: 20, maxLength: 120 });

const domainOf = ({ domain }: Event) => `domain${domain}.test`;

function learn(breakers: Breakers, event: Event, mx: string, nowMs: number, n: number): void {
  const question = asked(`team ${event.team}`, `n${n}@${domainOf(event)}`);
  const outcome = event.rejection === null ? answeredBy(mx) : rejectedBy(mx, REJECTIONS[event.rejection]);
  breakers.record(question, outcome, nowMs);
}

describe('for any sequence of results', () => {
  it('no team is blocked where it was not rejected itself', () => {
    fc.assert(
      fc.property(events, fc.boolean(), (all, atProvider) => {
        const breakers = new Breakers((domain) => domain);
        let nowMs = 0;
        all.forEach((event, n) => {
          nowMs += event.afterMs;
          const mx = atProvider ? atMicrosoft(domainOf(event)) : SHARED_MX;
          learn(breakers, event, mx, nowMs, n);
          const hosts = [{ host: mx, preference: 1 }];
          expect(breakers.allowedHosts(asked('victim', `jane@${domainOf(event)}`), hosts, nowMs)).toEqual(
            hosts,
          );
        });
      }),
      RUNS,
    );
  });

  it('a provider is blocked only for teams rejected at six domains in a row, or without an answer at two with three teams', () => {
    const opened = { alone: 0, confirmed: 0 };
    fc.assert(
      fc.property(eventsOfThree, (all) => {
        const breakers = new Breakers((domain) => domain);
        const met: Met[] = [];
        const paused = new Set<number>();
        let nowMs = 0;
        const mayAsk = (team: number, email: string, mx: string) => {
          const question = asked(`team ${team}`, email);
          const isAllowed = breakers.mayProbe(question, mx, nowMs);
          if (isAllowed) breakers.onProbing(question, mx, nowMs);
          return isAllowed;
        };
        const isOpen = (team: number) =>
          !breakers.mayProbe(asked(`team ${team}`, 'jane@fresh.test'), atMicrosoft('fresh.test'), nowMs);
        all.forEach((event, n) => {
          nowMs += event.afterMs;
          const mx = atMicrosoft(domainOf(event));
          const before = TEAMS.map(isOpen);
          if (!mayAsk(event.team, `n${n}@${domainOf(event)}`, mx)) return;
          met.push({ ...event, atMs: nowMs });
          learn(breakers, event, mx, nowMs, n);
          const after = TEAMS.map(isOpen);
          // Results of one team neither open nor close the breaker of another.
          for (const other of TEAMS) if (other !== event.team) expect(after[other]).toBe(before[other]);
          if (event.rejection === null) {
            expect(after[event.team]).toBe(false);
            paused.delete(event.team);
          }
          // A rejected half-open probe begins the next pause.
          if (event.rejection !== 'sender' || !after[event.team] || paused.has(event.team)) return;
          paused.add(event.team);
          opened[groundsOf(met, event.team, nowMs)] += 1;
        });
      }),
      RUNS,
    );
    const few = RUNS.numRuns / 50;
    expect([opened.alone > few, opened.confirmed > few]).toEqual([true, true]);
  });
});

const TEAMS = [0, 1, 2];
type Met = Event & { atMs: number };

/** @throws when the breaker of the team has no grounds to be open. */
function groundsOf(met: readonly Met[], team: number, nowMs: number): 'alone' | 'confirmed' {
  const teams = TEAMS.map((one) => {
    const all = met.filter((item) => item.team === one && [null, 'sender'].includes(item.rejection));
    const lastMs = all.at(-1)?.atMs ?? -Infinity;
    const results = lastMs > nowMs - WINDOW_MS ? all.filter(({ atMs }) => atMs > lastMs - WINDOW_MS) : [];
    const inRow = results.slice(results.findLastIndex(({ rejection }) => rejection === null) + 1);
    return {
      domains: new Set(inRow.map(({ domain }) => domain)),
      isAnswered: results.length > inRow.length,
    };
  });
  const own = teams[team]!;
  if (own.domains.size >= 6) return 'alone';
  const rejected = teams.filter(({ domains }) => domains.size >= 2);
  expect([own.domains.size >= 2, rejected.length, own.isAnswered]).toEqual([true, 3, false]);
  expect(new Set(rejected.flatMap(({ domains }) => [...domains])).size).toBeGreaterThanOrEqual(6);
  return 'confirmed';
}
