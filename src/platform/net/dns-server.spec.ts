import { describe, expect, it } from '@jest/globals';
import { parseDnsServer } from './dns-server.js';

describe('the address of a name server', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1', 53],
    ['192.0.2.1:5353', '192.0.2.1', 5353],
    ['2001:db8::1', '2001:db8::1', 53],
    ['[2001:db8::1]', '2001:db8::1', 53],
    ['[2001:db8::1]:5353', '2001:db8::1', 5353],
    ['fe80::1%eth0', 'fe80::1%eth0', 53],
  ])('is parsed from %s', (text, address, port) => expect(parseDnsServer(text)).toEqual({ address, port }));

  it.each(['localhost', '127.0.0.1:0', '127.0.0.1:65536', '::1:', '[127.0.0.1]:53', '[::1]5353', '1.1', ''])(
    'is not "%s"',
    (text) => expect(parseDnsServer(text)).toBeNull(),
  );
});
