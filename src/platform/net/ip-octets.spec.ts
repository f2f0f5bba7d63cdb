import { describe, expect, it } from '@jest/globals';
import { addressOf, octetsOf } from './ip-octets.js';

describe('the octets of an address', () => {
  it.each([
    ['192.0.2.7', 'c0000207', '192.0.2.7'],
    ['::', '0'.repeat(32), '::'],
    ['::1', `${'0'.repeat(31)}1`, '::1'],
    ['2001:DB8::', `20010db8${'0'.repeat(24)}`, '2001:db8::'],
    ['2001:db8:0:1:2:3:4:5', '20010db8000000010002000300040005', '2001:db8:0:1:2:3:4:5'],
    ['::ffff:192.0.2.7', `${'0'.repeat(20)}ffffc0000207`, '::ffff:192.0.2.7'],
  ])('of %s', (ip, hex, text) => {
    expect(octetsOf(ip).toString('hex')).toBe(hex);
    expect(addressOf(octetsOf(ip))).toBe(text);
  });

  it.each(['proxy.example', 'fe80::1%eth0', '127.1', ''])('are not made of %j', (text) => {
    expect(() => octetsOf(text)).toThrow(RangeError);
  });
});
