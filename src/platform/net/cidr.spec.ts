import { describe, expect, it } from '@jest/globals';
import { AddressPolicy } from './address-policy.js';
import { isCidr, isInNetworks, networkOf, parseCidr } from './cidr.js';

describe('a CIDR', () => {
  it.each([
    '10.0.0.0/8',
    '10.1.2.3/8',
    '0.0.0.0/0',
    '192.0.2.1/32',
    'fd00::/8',
    '::/0',
    '::1/128',
    '::ffff:10.0.0.0/104',
  ])('is %s', (text) => expect(isCidr(text)).toBe(true));

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0/8',
    '::/129',
    'fe80::%eth0/10',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '/8',
    'x/8',
    '10.0.0.0/ 8',
    '::ffff:10.0.0.0/90',
    '',
  ])('is not "%s", and AddressPolicy throws an error', (text) => {
    expect(isCidr(text)).toBe(false);
    expect(() => parseCidr(text)).toThrow(RangeError);
    expect(() => new AddressPolicy([text])).toThrow(`"${text}" is not a CIDR`);
  });
});

describe('the usual form of a network', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['192.0.2.1/32', '192.0.2.1/32'],
    ['192.0.2.128/25', '192.0.2.128/25'],
    ['10.0.0.0/08', '10.0.0.0/8'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001/128', '2001:db8::1/128'],
    ['::/0', '::/0'],
    ['::FFFF:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:0a00:0/104', '10.0.0.0/8'],
  ])('of %s is %s', (text, network) => expect(networkOf(text)).toEqual({ network, hasHostBits: false }));

  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['192.0.2.129/25', '192.0.2.128/25'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['2001:db8::1/32', '2001:db8::/32'],
    ['2001:db8:ff00::/37', '2001:db8:f800::/37'],
    ['::ffff:10.0.0.1/104', '10.0.0.0/8'],
  ])('%s has bits after the prefix; the network is %s', (text, network) =>
    expect(networkOf(text)).toEqual({ network, hasHostBits: true }),
  );

  it('is null for other text', () => expect(networkOf('192.0.2.1')).toBeNull());
});

describe('networks contain', () => {
  const networks = ['192.0.2.0/25', '2001:db8::/32'];

  it.each(['192.0.2.0', '192.0.2.127', '::ffff:192.0.2.5', '::FFFF:c000:205', '2001:DB8:1::1'])('%s', (ip) =>
    expect(isInNetworks(ip, networks)).toBe(true),
  );

  it.each(['192.0.2.128', '::ffff:192.0.2.128', '2001:db9::', '::192.0.2.5', '', 'unknown', '192.0.2.1:80'])(
    'not "%s"',
    (ip) => expect(isInNetworks(ip, networks)).toBe(false),
  );

  it('no IPv4 address in ::/0, and no IPv6 address in 0.0.0.0/0', () => {
    expect(isInNetworks('192.0.2.1', ['::/0'])).toBe(false);
    expect(isInNetworks('2001:db8::1', ['0.0.0.0/0'])).toBe(false);
  });
});
