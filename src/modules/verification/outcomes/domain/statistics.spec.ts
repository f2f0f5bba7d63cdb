import { describe, expect, it } from '@jest/globals';
import { estimateOf, learn, type GroupCount } from './statistics.js';

const group = (
  domain: string,
  host: string | null,
  addresses: number,
  delivered: number,
  bouncesOnly = 0,
  deliveredToo = 0,
): GroupCount => {
  return { reason: 'accepted_email', host, domain, addresses, delivered, bouncesOnly, deliveredToo };
};
const at = (domain: string, host: string | null, delivered: boolean | null = null) => ({
  reason: 'accepted_email',
  host,
  domain,
  delivered,
});

describe('an estimate', () => {
  it('is that of the closest level', () => {
    const statistics = learn([group('a.example', 'op', 100, 98), group('b.example', 'op', 20, 10)]);
    expect(estimateOf(statistics, at('b.example', 'op'))).toMatchObject({ basis: 'domain', outcomes: 20 });
    expect(estimateOf(statistics, at('c.example', 'op'))).toMatchObject({ basis: 'host', outcomes: 120 });
    expect(estimateOf(statistics, at('c.example', 'other'))).toMatchObject({
      basis: 'reason',
      outcomes: 120,
    });
    expect(estimateOf(statistics, at('c.example', 'other', true))).toMatchObject({ basis: 'address' });
    expect(estimateOf(statistics, { ...at('a.example', 'op'), reason: 'catch_all' })).toBeNull();
  });

  it('is not given where only bounces are reported', () => {
    const statistics = learn([group('gmail.com', 'google consumer', 80, 0, 80)]);
    expect(estimateOf(statistics, at('gmail.com', 'google consumer'))).toBeNull();
    expect(estimateOf(statistics, at('other.example', 'op'))).toBeNull();
    expect(estimateOf(statistics, at('gmail.com', 'google consumer', true))?.basis).toBe('address');
  });

  it('is that of the next level for a group without deliveries', () => {
    const statistics = learn([group('a.example', 'op', 100, 98, 2, 98), group('b.example', 'op', 3, 0, 3)]);
    const estimate = estimateOf(statistics, at('b.example', 'op'));
    expect(estimate).toMatchObject({ basis: 'host', outcomes: 103 });
  });

  it('does not depend on bounces of reporters that report no deliveries, beside a source that does', () => {
    const source = [group('a.example', 'op', 100, 98), group('c.example', 'op', 50, 49)];
    const lone = group('b.example', 'op', 30, 0, 30);
    for (const domain of ['a.example', 'b.example', 'd.example'])
      expect(estimateOf(learn([...source, lone]), at(domain, 'op'))).toEqual(
        estimateOf(learn(source), at(domain, 'op')),
      );
    const mixed = group('b.example', 'op', 40, 10, 30);
    expect(estimateOf(learn([...source, mixed]), at('b.example', 'op'))).toMatchObject({ outcomes: 10 });
  });

  it('is low where a source that reports deliveries reports few of them', () => {
    const estimate = estimateOf(learn([group('a.example', 'op', 100, 20)]), at('a.example', 'op'));
    expect(estimate?.deliverable).toBeCloseTo(0.2, 1);
    expect(estimate?.low).toBeLessThan(0.2);
    expect(estimate?.high).toBeGreaterThan(0.2);
  });

  it('of a customer of a host is not that of another customer', () => {
    const statistics = learn([group('bad.example', null, 100, 50), group('good.example', null, 100, 99)]);
    expect(estimateOf(statistics, at('good.example', null))?.deliverable).toBeGreaterThan(0.95);
    expect(estimateOf(statistics, at('bad.example', null))?.deliverable).toBeLessThan(0.6);
    expect(estimateOf(statistics, at('new.example', null))).toMatchObject({ basis: 'reason', outcomes: 200 });
  });
});
