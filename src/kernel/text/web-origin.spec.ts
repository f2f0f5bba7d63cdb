import { describe, expect, it } from '@jest/globals';
import { webOriginOf } from './web-origin.js';

describe('webOriginOf', () => {
  it.each([
    ['https://example.com', 'https://example.com'],
    ['https://www.example.com:8443', 'https://www.example.com:8443'],
    ['HTTPS://Example.COM', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://example.com:443', 'https://example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://192.0.2.7', 'https://192.0.2.7'],
    ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
    ['http://localhost', 'http://localhost'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://app.localhost:3000', 'http://app.localhost:3000'],
    ['http://127.0.0.1:5173', 'http://127.0.0.1:5173'],
    ['http://[::1]:80', 'http://[::1]'],
  ])('reads %s as a browser sends it', (text, origin) => {
    expect(webOriginOf(text)).toBe(origin);
  });

  it.each([
    ['', 'nothing'],
    ['null', 'the origin of a sandboxed page'],
    ['example.com', 'no scheme'],
    ['https://', 'no host'],
    ['http://example.com', 'http outside the own machine'],
    ['http://localhost.example.com', 'http at a host that only begins like the own machine'],
    ['http://127.0.0.1.example.com', 'http at a host that only begins like the own machine'],
    ['https://example.com/signup', 'a path'],
    ['https://example.com//', 'a path'],
    ['https://example.com?', 'a query'],
    ['https://example.com#', 'a fragment'],
    ['https://jane@example.com', 'credentials'],
    ['https://jane:secret@example.com', 'credentials'],
    ['https://*.example.com', 'a wildcard'],
    ['*', 'a wildcard'],
    ['https://example.com https://example.org', 'two origins'],
    ['https://exa\tmple.com', 'white space'],
    ['https:\\\\example.com', 'backslashes'],
    ['https://example.com:99999', 'a port that does not exist'],
    ['https://example.com;', 'another character'],
    ['chrome-extension://abcdef', 'another scheme'],
    ['file:///tmp/page.html', 'another scheme'],
    [`https://${'a'.repeat(300)}.com`, 'too long'],
  ])('refuses %j: %s', (text) => {
    expect(webOriginOf(text)).toBeNull();
  });
});
