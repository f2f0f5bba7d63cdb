import { describe, expect, it } from '@jest/globals';
import { parseSocksProxy } from './socks-proxy.js';

function errorOf(text: string): string {
  try {
    parseSocksProxy(text);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return (error as RangeError).message;
  }
  throw new Error(`accepted: ${JSON.stringify(text)}`);
}

describe('the URL of a SOCKS5 proxy', () => {
  it.each([
    ['socks5://proxy.example.org:9050', { host: 'proxy.example.org', port: 9050, credentials: null }],
    ['socks5://proxy.example.org', { host: 'proxy.example.org', port: 1080, credentials: null }],
    ['socks5://10.0.0.7:1080/', { host: '10.0.0.7', port: 1080, credentials: null }],
    ['SOCKS5://[2001:db8::7]:1080', { host: '2001:db8::7', port: 1080, credentials: null }],
    [
      'socks5://jane:p%40ss%3Aw%C3%B6rd@proxy.example.org:1080',
      {
        host: 'proxy.example.org',
        port: 1080,
        credentials: { username: 'jane', password: 'p@ss:wörd' },
      },
    ],
  ])('%s', (text, proxy) => {
    expect(parseSocksProxy(text)).toEqual({ ...proxy, pin: null });
  });

  const pin = '0123456789abcdef'.repeat(4);
  it('with TLS has the SHA-256 of its certificate', () => {
    expect(parseSocksProxy(`socks5s://jane:secret@[2001:db8::7]:1080?pin=sha256:${pin}`)).toEqual({
      host: '2001:db8::7',
      port: 1080,
      credentials: { username: 'jane', password: 'secret' },
      pin,
    });
  });

  it('has a pin in small or capital letters, as tools print fingerprints', () => {
    const url = `socks5s://jane:secret@proxy.example.org?pin=SHA256:${pin.toUpperCase()}`;
    expect(parseSocksProxy(url).pin).toBe(pin);
  });

  it.each(['', '?pin=', `?pin=${pin}`, `?pin=sha256:${pin}0`, `?pin=sha256:${pin}&x=1`, `?pin=sha1:${pin}`])(
    'with TLS is rejected with %j',
    (query) => {
      expect(errorOf(`socks5s://jane:hunter2@proxy.example.org${query}`)).toContain('?pin=sha256:');
    },
  );

  const long = 'p'.repeat(256);
  it.each([
    ['proxy.example.org:1080', 'must be a URL such as socks5://'],
    ['http://hunter2:hunter2@proxy.example.org', 'must be a URL such as socks5://'],
    ['socks4://proxy.example.org', 'must be a URL such as socks5://'],
    ['socks5h://hunter2:hunter2@proxy.example.org', 'names are always resolved here'],
    ['socks5://', 'must be a URL such as socks5://'],
    ['socks5://:1080', 'must be a URL such as socks5://'],
    ['socks5://proxy.example.org:0', 'must be a URL such as socks5://'],
    ['socks5://proxy.example.org:65536', 'must be a URL such as socks5://'],
    ['socks5://proxy.example.org/path', 'must be a URL such as socks5://'],
    ['socks5://proxy.example.org?hunter2', 'must be a URL such as socks5://'],
    [`socks5://proxy.example.org?pin=sha256:${pin}`, 'must be a URL such as socks5://'],
    ['socks5://proxy.example.org#hunter2', 'must be a URL such as socks5://'],
    ['socks5://jane:hunter2%0D%0A@proxy.example.org', 'no line end, NUL or other control'],
    ['socks5://ja%00ne:hunter2@proxy.example.org', 'no line end, NUL or other control'],
    ['socks5://jane:hunter2\r\n@proxy.example.org', 'no line end, NUL or other control'],
    ['socks5://jane:hunter2%@proxy.example.org', 'a percent sign in a user or password written as %25'],
    ['socks5://jane@proxy.example.org', 'a user and a password'],
    ['socks5://:hunter2@proxy.example.org', 'a user and a password'],
    [`socks5://jane:${long}@proxy.example.org`, '1 to 255 octets'],
    [`socks5://jane:${'%C3%B6'.repeat(128)}@proxy.example.org`, '1 to 255 octets'],
  ])('%j is rejected with a message that says what to set and does not quote it', (text, advice) => {
    const message = errorOf(text);
    expect(message).toContain(advice);
    expect(message).not.toMatch(/hunter2|jane|pppp/);
  });
});
