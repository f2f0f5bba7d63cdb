import { describe, expect, it } from '@jest/globals';
import { retryDelaySeconds } from './retry-delay.js';

describe('the delay that a reply names', () => {
  it.each([
    ['<jane@x.com>: Recipient address rejected: Greylisted, try again in 15 seconds', 15],
    ['Greylisted for 5 minutes', 300],
    ['Greylisting in action, please come back in 00:04:59', 299],
    ['Greylisted, please try again in 4 minutes 30 seconds', 270],
    ['Greylisted, please try again in 1 minute and 5 seconds', 65],
    ['temporarily deferred, retry-after: 60', 60],
    ['Retry-After=30', 30],
    ['please retry in 45s', 45],
    ['Please try again in 1h', 3_600],
    ['wait a minute', 60],
    ['You must wait one hour', 3_600],
    ['Graylisted; try back after 10 min.', 600],
  ])('%s: %d s', (text, seconds) => {
    expect(retryDelaySeconds(text)).toBe(seconds);
  });

  it.each([
    'Greylisted, see http://postgrey.schweikert.ch/',
    'Please try again later',
    'try again in a few minutes',
    'too many connections from 192.0.2.15, try again later',
    'try again, 192.0.2.15 seconds',
    'mailbox full for 15 days',
    'within the last 15 seconds',
    'retry-after: soon',
    '',
  ])('is null if there is none: %s', (text) => {
    expect(retryDelaySeconds(text)).toBeNull();
  });

  it('is searched for in the first 500 characters', () => {
    expect(retryDelaySeconds(`${'x'.repeat(470)} try again in 15 seconds`)).toBe(15);
    expect(retryDelaySeconds(`${'x'.repeat(500)} try again in 15 seconds`)).toBeNull();
  });
});
