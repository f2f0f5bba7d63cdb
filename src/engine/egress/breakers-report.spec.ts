import { describe, expect, it } from '@jest/globals';
import {
  answeredBy,
  asked,
  atMicrosoft,
  rejectedBy,
  REJECTIONS,
} from '../../../test/support/verification/rejections.js';
import { Breakers } from './breakers.js';

const NOW_MS = 1_000_000;
const FIRST_PAUSE_MS = 5 * 60_000;
const aBreakers = () => new Breakers((domain) => domain);

it('open breakers are reported by provider, and no host or domain is named', () => {
  const breakers = aBreakers();
  const reject = (mx: string, domain: string) => {
    for (const name of ['a', 'b', 'c'])
      breakers.record(asked('t', `${name}@${domain}`), rejectedBy(mx, REJECTIONS.sender, 'banner'), NOW_MS);
  };
  reject(atMicrosoft('one.test'), 'one.test');
  reject(atMicrosoft('two.test'), 'two.test');
  reject('mx.own.test', 'own.test');
  expect(breakers.openByProvider(NOW_MS)).toEqual([
    { of: 'host', provider: 'microsoft', count: 2 },
    { of: 'host', provider: null, count: 1 },
  ]);
  expect(breakers.openByProvider(NOW_MS + FIRST_PAUSE_MS)).toEqual([]);
});

it('a large provider that rejects us is reported, hosts and domains of strangers are not', () => {
  const breakers = aBreakers();
  const reject = (mx: string) => {
    for (const name of ['a', 'b', 'c'])
      breakers.record(asked('t', `${name}@d.test`), rejectedBy(mx, REJECTIONS.sender, 'banner'), NOW_MS);
  };
  reject('mx.own.test');
  expect([breakers.isAnyProviderOpen(NOW_MS), breakers.open(NOW_MS)[1]?.count]).toEqual([false, 1]);
  reject(atMicrosoft('two.test'));
  expect(breakers.isAnyProviderOpen(NOW_MS)).toBe(true);
});

it('a large provider that rejects one of several teams is not reported as a fault of the service', () => {
  const breakers = aBreakers();
  const visit = (team: string, outcomeAt: typeof answeredBy, domains: number) => {
    for (let n = 0; n < domains; n += 1) {
      const domain = `d${n}.${team}.test`;
      breakers.record(asked(team, `a@${domain}`), outcomeAt(atMicrosoft(domain)), NOW_MS);
    }
  };
  visit('answered', answeredBy, 1);
  visit('hostile', (host) => rejectedBy(host), 6);
  expect([breakers.isAnyProviderOpen(NOW_MS), breakers.open(NOW_MS)[2]?.count]).toEqual([false, 1]);
  for (const team of ['b', 'c', 'd']) visit(team, (host) => rejectedBy(host), 3);
  expect(breakers.isAnyProviderOpen(NOW_MS)).toBe(true);
});

describe('an egress that unrelated domains reject', () => {
  const reject = (breakers: Breakers, team: string, domains = 8) => {
    for (let n = 0; n < domains; n += 1) {
      const domain = `d${n}.${team}.test`;
      breakers.record(asked(team, `a@${domain}`), rejectedBy(`mx.${domain}`), NOW_MS);
    }
  };
  const answer = (breakers: Breakers, team: string) =>
    breakers.record(asked(team, `a@${team}.test`), answeredBy(`mx.${team}.test`), NOW_MS);
  const report = (breakers: Breakers, nowMs = NOW_MS) => breakers.egressPauseMs('direct', nowMs);

  it('is reported with the remaining time of its pause, if one team uses it', () => {
    const breakers = aBreakers();
    reject(breakers, 'one', 7);
    expect(report(breakers)).toBe(0);
    reject(breakers, 'one');
    expect(report(breakers, NOW_MS + 1_000)).toBe(FIRST_PAUSE_MS - 1_000);
  });

  it('is not reported when they reject one of several teams, also while the others send nothing', () => {
    const breakers = aBreakers();
    answer(breakers, 'other');
    reject(breakers, 'hostile');
    expect(breakers.isEgressOpen('direct', 'hostile', NOW_MS)).toBe(true);
    expect(report(breakers)).toBe(0);
    const later = NOW_MS + 11 * 60_000;
    breakers.onProbing(asked('hostile', 'b@e0.test'), 'mx.e0.test', later);
    for (let n = 0; n < 8; n += 1)
      breakers.record(asked('hostile', `b@e${n}.test`), rejectedBy(`mx.e${n}.test`), later);
    expect([breakers.isEgressOpen('direct', 'hostile', later), report(breakers, later)]).toEqual([true, 0]);
  });

  it('is reported when they reject most teams, three times or more each', () => {
    const breakers = aBreakers();
    for (const team of ['b', 'c', 'd']) reject(breakers, team, 3);
    reject(breakers, 'e', 2);
    answer(breakers, 'f');
    reject(breakers, 'a');
    expect(report(breakers)).toBe(FIRST_PAUSE_MS);
    answer(breakers, 'g');
    expect(report(breakers)).toBe(0);
  });
});
