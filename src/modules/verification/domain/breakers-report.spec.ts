import { expect, it } from '@jest/globals';
import { asked, atMicrosoft, refusedBy, REFUSALS } from '../../../../test/support/verification/refusals.js';
import { Breakers } from './breakers.js';

const NOW_MS = 1_000_000;
const FIRST_PAUSE_MS = 5 * 60_000;
const aBreakers = () => new Breakers((domain) => domain);

it('open breakers are reported by provider, and no host or domain is named', () => {
  const breakers = aBreakers();
  const refuse = (mx: string, domain: string) => {
    for (const name of ['a', 'b', 'c'])
      breakers.record(asked('t', `${name}@${domain}`), refusedBy(mx, REFUSALS.us, 'banner'), NOW_MS);
  };
  refuse(atMicrosoft('one.test'), 'one.test');
  refuse(atMicrosoft('two.test'), 'two.test');
  refuse('mx.own.test', 'own.test');
  expect(breakers.openByProvider(NOW_MS)).toEqual([
    { of: 'host', provider: 'microsoft', count: 2 },
    { of: 'host', provider: null, count: 1 },
  ]);
  expect(breakers.openByProvider(NOW_MS + FIRST_PAUSE_MS)).toEqual([]);
});

it('an egress that unrelated domains refuse is reported with the remaining time of its pause', () => {
  const breakers = aBreakers();
  for (let n = 0; n < 8; n++) {
    expect(breakers.egressPauseMs('direct', NOW_MS)).toBe(0);
    breakers.record(asked('t', `a@d${n}.test`), refusedBy(`mx.d${n}.test`), NOW_MS);
  }
  expect(breakers.egressPauseMs('direct', NOW_MS + 1_000)).toBe(FIRST_PAUSE_MS - 1_000);
});
