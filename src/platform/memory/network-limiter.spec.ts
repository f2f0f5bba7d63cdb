import { expect, it } from '@jest/globals';
import { AdjustableClock } from '../../../test/support/time/adjustable-clock.js';
import { NetworkLimiter } from './network-limiter.js';

it('accepts so many attempts of one network, and of all together, until the window has passed', () => {
  const clock = new AdjustableClock();
  clock.stop();
  const limiter = new NetworkLimiter(clock, { ofNetwork: 2, inAll: 3, windowMs: 1_000 });
  expect(['a', 'a', 'a'].map((network) => limiter.consume(network))).toEqual([0, 0, 1_000]);
  expect(['b', 'b'].map((network) => limiter.consume(network))).toEqual([0, 1_000]);
  clock.advance(1_000);
  expect(limiter.consume('b')).toBe(0);
  const single = new NetworkLimiter(clock, { ofNetwork: 1, windowMs: 1_000 });
  expect(['a', 'b', 'b'].map((network) => single.consume(network))).toEqual([0, 0, 1_000]);
});
