import { describe, expect, it } from '@jest/globals';
import { exchangeOf, isUsableExchange } from './mx-exchange.js';

describe('the exchange of an MX record', () => {
  it.each([
    ['mx.corp.test', 'mx.corp.test'],
    ['MX1.Corp.Test', 'mx1.corp.test'],
    ['mx.corp.test.', 'mx.corp.test'],
    ['mx.corp.test..', 'mx.corp.test'],
    ['mx_in.corp.test', 'mx_in.corp.test'],
    ['mx\\.corp\\.test', 'mx.corp.test'],
    ['mx.corp.test ', 'mx.corp.test'],
    ['mx.corp.test\t', 'mx.corp.test'],
    ['\u00a0 mx.corp.test \r\n', 'mx.corp.test'],
    ['10 mx.corp.test', 'mx.corp.test'],
    ['"mx.corp.test"', 'mx.corp.test'],
    ['<mx.corp.test>', 'mx.corp.test'],
    ['mx.corp.test,', 'mx.corp.test'],
    ['http://mx.corp.test', 'mx.corp.test'],
    ['HTTPS://mx.corp.test/mail', 'mx.corp.test'],
    ['smtp:mx.corp.test', 'mx.corp.test'],
    ['mx.corp.test:25', 'mx.corp.test'],
    ['smtp://mx.corp.test:587/', 'mx.corp.test'],
    ['mx.bücher.test', 'mx.xn--bcher-kva.test'],
    ['メール.例え.test', 'xn--4dkua4c.xn--r8jz45g.test'],
  ])('is the name of a host: %p', (written, host) => {
    expect(exchangeOf(written)).toBe(host);
    expect(isUsableExchange(host)).toBe(true);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['[192.0.2.7]', '192.0.2.7'],
    ['192.0.2.7:25', '192.0.2.7'],
    ['http://192.0.2.7/', '192.0.2.7'],
    ['192.0.2.7 ', '192.0.2.7'],
    ['2001:DB8::0:7', '2001:db8::7'],
    ['::1', '::1'],
    ['[::1]', '::1'],
    ['[::1]:25', '::1'],
    ['[IPv6:2001:db8::7]', '2001:db8::7'],
  ])('is an address: %p', (written, address) => {
    expect(exchangeOf(written)).toBe(address);
    expect(isUsableExchange(address)).toBe(true);
  });

  it.each([
    ['postmaster@corp.test', 'postmaster@corp.test'],
    ['see our website', 'see?our?website'],
    ['127.1', '127.1'],
    ['0x7f000001', '0x7f000001'],
    ['1.2.3.4.5', '1.2.3.4.5'],
    ['300.1.2.3', '300.1.2.3'],
    ['fe80::1%eth0', 'fe80::1%eth0'],
    ['mx..corp.test', 'mx..corp.test'],
    ['mx\u0000.corp.test', 'mx?.corp.test'],
    ['http://', 'http://'],
    [' ', '?'],
    [`${'a'.repeat(64)}.test`, `${'a'.repeat(64)}.test`],
  ])('is neither, and safe to display: %p', (written, shown) => {
    expect(exchangeOf(written)).toBe(shown);
    expect(isUsableExchange(shown)).toBe(false);
  });

  it('of the null MX stays empty', () => {
    expect(exchangeOf('')).toBe('');
  });
});
