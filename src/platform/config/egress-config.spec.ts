import { describe, expect, it } from '@jest/globals';
import { parseEgresses } from './egress-config.js';
import { ConfigError, readConfig } from './config.js';

const egressesOf = (env: Record<string, string>) =>
  readConfig({ SMTP_HELO_NAME: 'verify.example.org', ...env }).smtp.egresses;

function refusalOf(text: string): string {
  try {
    parseEgresses(text);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('SMTP_EGRESS', () => {
  it('names each egress, and one without a name by its number, never with an address', () => {
    const text =
      'direct, socks5://user:p%2Css@A.example:1080;name=berlin, socks5://user:pass@[2001:DB8::9], ' +
      'bind:198.51.100.7, bind:[2001:0db8:0::7]';
    expect(parseEgresses(text).map(({ name }) => name)).toEqual([
      'direct',
      'berlin',
      'egress-3',
      'egress-4',
      'egress-5',
    ]);
  });

  it('identifies each egress by its name or its route, wherever it is in the list', () => {
    const text = 'socks5://u:p@[2001:DB8::9], direct, bind:[2001:0db8:0::7], bind:198.51.100.7;name=berlin';
    expect(parseEgresses(text).map(({ key }) => key)).toEqual([
      'socks5://[2001:db8::9]:1080',
      'direct',
      'bind:[2001:db8::7]',
      'berlin',
    ]);
  });

  it('sets the EHLO name and sender of each egress, by default the common ones', () => {
    const SMTP_EGRESS = 'direct;from=a@one.example, bind:198.51.100.7;helo=two.example, bind:198.51.100.8';
    expect(egressesOf({ SMTP_EGRESS }).map(({ heloName, mailFrom }) => [heloName, mailFrom])).toEqual([
      ['verify.example.org', 'a@one.example'],
      ['two.example', 'verify@two.example'],
      ['verify.example.org', 'verify@verify.example.org'],
    ]);
    const [, bound] = egressesOf({ SMTP_EGRESS, SMTP_MAIL_FROM: 'checks@example.org' });
    expect(bound).toMatchObject({ heloName: 'two.example', mailFrom: 'checks@example.org' });
  });

  it('is one egress with SMTP_PROXY_URL, and excludes it', () => {
    const SMTP_PROXY_URL = 'socks5://user:hunter2@proxy.example:1080';
    expect(egressesOf({ SMTP_PROXY_URL })).toMatchObject([{ name: 'egress-1' }]);
    const both = () => egressesOf({ SMTP_PROXY_URL, SMTP_EGRESS: 'direct' });
    expect(both).toThrow(ConfigError);
    expect(both).toThrow(/^SMTP_EGRESS and SMTP_PROXY_URL exclude each other: write the proxy as an item/);
  });

  it.each([
    [',', 'must be 1 to 64 egresses'],
    [Array.from({ length: 65 }, (_, n) => `bind:198.51.100.${n}`).join(), 'must be 1 to 64 egresses'],
    ['http://proxy.example', 'must have as item 1 direct, bind: with an address, or a URL with socks5://'],
    ['direct,tor', 'must have as item 2 direct, bind:'],
    ['direct,socks5h://a', 'must have as item 2 a proxy that must be a URL such as socks5://'],
    ['socks5://u:pa,ss@a:1080', 'a comma or semicolon in a user or password is written %2C or %3B'],
    ['socks5://u:hunter2;x@a:1080', 'a comma or semicolon in a user or password is written %2C or %3B'],
    ['bind:198.51.100.300', 'bind: with an address of this machine'],
    ['bind:verify.example.org', 'bind: with an address of this machine'],
    ['bind:[198.51.100.7]', 'bind: with an address of this machine'],
    ['bind:2001:db8::7', 'the IPv6 address in brackets, such as bind:[2001:db8::7]'],
    ['bind:[fe80::1%eth0]', 'bind: with an address of this machine'],
    ['bind:[::ffff:198.51.100.7]', 'the IPv4 address itself'],
    ['bind:0.0.0.0', 'for any address write direct'],
    ['bind:[::]', 'for any address write direct'],
    ['direct,bind:198.51.100.7,direct;helo=a.example', 'must not have items 1 and 3 with the same name'],
    ['socks5://a:b@h:1,socks5://c:d@H:1', 'add ;name= to tell them apart'],
    ['direct;name=egress-2,bind:198.51.100.7', 'must not have items 1 and 2 with the same name'],
    ['direct;helo=', 'a host name such as helo=verify.example.org'],
    ['direct;from=<a@b.example>', 'without angle brackets'],
    ['direct;name=a b', 'a name of 1 to 40 letters'],
    ['bind:198.51.100.7;name=direct', 'and not direct'],
    ['direct;helo=a.example;helo=b.example', 'must have as item 1 helo= once'],
    ['direct;weight=2', 'only helo=, from=, warmup=, name= after a semicolon'],
    ['direct;warmup=no', 'warmup=off, or no warmup='],
  ])('%j is refused with what to write instead', (text, advice) => {
    const refusal = refusalOf(text);
    expect(refusal).toContain(advice);
    expect(refusal).not.toMatch(/hunter2|ss@a/);
  });
});
