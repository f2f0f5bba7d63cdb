import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  answeredBy,
  asked,
  atMicrosoft,
  REJECTIONS,
  rejectedBy,
} from '../../../test/support/verification/rejections.js';
import { Breakers } from './breakers.js';

const RUNS = { numRuns: 500 };
const WINDOW_MS = 10 * 60_000;
const SHARED_MX = 'mx.shared.test';

interface Event {
  tenant: number;
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
  'tenant',
  'recipient',
  'nobody',
  null,
];
const anEvent = (most: { tenants: number; domains: number }): fc.Arbitrary<Event> =>
  fc.record({
    tenant: fc.nat(most.tenants - 1),
    domain: fc.nat(most.domains - 1),
    rejection: fc.constantFrom(...WHOM),
    afterMs: fc.constantFrom(0, 0, 0, 0, 0, 1_000, 60_000, 200_000),
  });
const events = fc.array(anEvent({ tenants: 5, domains: 14 }), { minLength: 5, maxLength: 80 });

const domainOf = ({ domain }: Event) => `domain${domain}.test`;

function learn(breakers: Breakers, event: Event, mx: string, nowMs: number, n: number): void {
  const question = asked(`tenant ${event.tenant}`, `n${n}@${domainOf(event)}`);
  const outcome = event.rejection === null ? answeredBy(mx) : rejectedBy(mx, REJECTIONS[event.rejection]);
  breakers.record(question, outcome, nowMs);
}

describe('for any sequence of results', () => {
  it('no tenant is blocked where it was not rejected itself', () => {
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

  it('a provider is blocked only for tenants rejected at two domains, with three tenants, six domains and 80 % of the tenants', () => {
    let opened = 0;
    fc.assert(
      fc.property(events, (all) => {
        const breakers = new Breakers((domain) => domain);
        const met: Met[] = [];
        let nowMs = 0;
        const mayAsk = (tenant: number, email: string, mx: string) =>
          breakers.allowedHosts(asked(`tenant ${tenant}`, email), [{ host: mx, preference: 1 }], nowMs)
            .length > 0;
        const mayAskMicrosoft = (tenant: number) =>
          mayAsk(tenant, 'jane@fresh.test', atMicrosoft('fresh.test'));
        all.forEach((event, n) => {
          nowMs += event.afterMs;
          const mx = atMicrosoft(domainOf(event));
          if (!mayAsk(event.tenant, `n${n}@${domainOf(event)}`, mx)) return;
          met.push({ ...event, atMs: nowMs });
          learn(breakers, event, mx, nowMs, n);
          if (event.rejection === null) expect(TENANTS.map(mayAskMicrosoft)).not.toContain(false);
          if (event.rejection !== 'sender' || mayAskMicrosoft(event.tenant)) return;
          opened += 1;
          expectGrounds(met, event.tenant, nowMs);
        });
      }),
      RUNS,
    );
    expect(opened).toBeGreaterThan(20);
  });
});

const TENANTS = [0, 1, 2, 3, 4];
type Met = Event & { atMs: number };

/** A tenant's vote is the result of the ten minutes before its latest outcome, and expires ten minutes after it. */
function expectGrounds(met: readonly Met[], closedTo: number, nowMs: number): void {
  const tenants = TENANTS.map((tenant) => {
    const all = met.filter(
      (item) => item.tenant === tenant && (item.rejection === 'sender' || item.rejection === null),
    );
    const lastMs = all.at(-1)?.atMs ?? -Infinity;
    const own = lastMs > nowMs - WINDOW_MS ? all.filter(({ atMs }) => atMs > lastMs - WINDOW_MS) : [];
    const latest = [...new Map(own.map(({ domain, rejection }) => [domain, rejection]))];
    const domains = new Set(
      latest.filter(([, rejection]) => rejection === 'sender').map(([domain]) => domain),
    );
    return { tenant, domains, isAnswered: latest.length > domains.size };
  });
  const rejected = tenants.filter(({ domains }) => domains.size >= 2);
  expect(rejected.map(({ tenant }) => tenant)).toContain(closedTo);
  expect(rejected.length).toBeGreaterThanOrEqual(3);
  expect(new Set(rejected.flatMap(({ domains }) => [...domains])).size).toBeGreaterThanOrEqual(6);
  const answered = tenants.filter(({ domains, isAnswered }) => isAnswered && domains.size < 2);
  expect(rejected.length).toBeGreaterThanOrEqual(4 * answered.length);
}
