import { describe, expect, it } from '@jest/globals';
import { egressOrder, withoutPaused, type PauseCause } from './egress-choice.js';

const named = (...names: string[]) => names.map((key) => ({ key }));
const NAMES = ['direct', 'bind:198.51.100.7', 'bind:198.51.100.8', 'socks5://a:1080'];
const DOMAINS = Array.from({ length: 2_000 }, (_, n) => `corp${n}.example`);
const first = (domain: string, names: readonly string[]) => egressOrder(domain, named(...names))[0]?.key;

describe('the egress of a domain', () => {
  it('depends on the names alone: not on their order, and not on the case of the domain', () => {
    for (const domain of DOMAINS.slice(0, 50)) {
      const expected = egressOrder(domain, named(...NAMES));
      expect(egressOrder(domain.toUpperCase(), named(...[...NAMES].reverse()))).toEqual(expected);
    }
  });

  it('is the same in every version, because greylisting servers would defer another one', () => {
    const order = ['gmail.com', 'example.org', 'web.de', 'corp.example'].map((domain) =>
      first(domain, NAMES),
    );
    expect(order).toEqual(KNOWN);
  });

  it('is each one for its share of the domains', () => {
    for (const name of NAMES) {
      const share = DOMAINS.filter((domain) => first(domain, NAMES) === name).length / DOMAINS.length;
      expect([name, Math.abs(share - 1 / NAMES.length) < 0.03]).toEqual([name, true]);
    }
  });

  it('changes for the share of a new one only, and only to the new one', () => {
    const added = 'bind:198.51.100.9';
    const moved = DOMAINS.filter((domain) => first(domain, [...NAMES, added]) !== first(domain, NAMES));
    expect(moved.length / DOMAINS.length).toBeCloseTo(1 / 5, 1);
    expect(new Set(moved.map((domain) => first(domain, [...NAMES, added])))).toEqual(new Set([added]));
  });

  it('passes to the next in order when one is removed, evenly', () => {
    const [removed = '', ...others] = NAMES;
    const orphans = DOMAINS.filter((domain) => first(domain, NAMES) === removed);
    for (const domain of orphans)
      expect(first(domain, others)).toBe(egressOrder(domain, named(...NAMES))[1]?.key);
  });
});

/** The first of each domain, as of the first version. */
const KNOWN = ['bind:198.51.100.7', 'direct', 'bind:198.51.100.7', 'bind:198.51.100.8'];

describe('egresses that are paused', () => {
  const usable = (causes: Record<string, PauseCause | null>) =>
    withoutPaused(Object.keys(causes), (name) => causes[name] ?? null);

  it('are skipped while another one is not paused', () => {
    expect(usable({ a: 'rejected', b: null, c: 'unreachable', d: null })).toEqual(['b', 'd']);
  });

  it('are used when all are paused: those that are rejected before those that reach no server', () => {
    expect(usable({ a: 'unreachable', b: 'rejected', c: 'rejected' })).toEqual(['b', 'c']);
    expect(usable({ a: 'unreachable', b: 'unreachable' })).toEqual(['a', 'b']);
  });
});
