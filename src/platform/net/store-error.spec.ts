import { describe, expect, it } from '@jest/globals';
import { storeError } from './store-error.js';

const URL = 'rediss://rcpt:hush-hush@redis.example.org:6380/1';

describe('the log fields of a store error', () => {
  it.each([
    [
      'the system error code',
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['a timeout code', new Error('Command timed out'), 'ETIMEDOUT'],
    [
      'the code of an error reply',
      new Error('WRONGPASS invalid username-password pair: hush-hush'),
      'WRONGPASS',
    ],
    ['a code for a closed connection', new Error('Connection is closed.'), 'ECONNRESET'],
  ])('are %s, and the host without the password', (_, error, code) => {
    expect(storeError(error, URL)).toEqual({ code, host: 'redis.example.org:6380' });
  });
});
