import { describe, expect, it } from '@jest/globals';
import { AddressPolicy, nonGlobalRange } from './address-policy.js';
import { NON_GLOBAL_RANGES } from './non-global-ranges.js';

/** The last address of each range, and the first address after it; null: the next range has the same name. */
const EDGES: Record<string, [inside: string, past: string | null]> = {
  '0.0.0.0/8': ['0.255.255.255', '1.0.0.0'],
  '10.0.0.0/8': ['10.255.255.255', '11.0.0.0'],
  '100.64.0.0/10': ['100.127.255.255', '100.128.0.0'],
  '127.0.0.0/8': ['127.255.255.255', '128.0.0.0'],
  '169.254.0.0/16': ['169.254.169.254', '169.255.0.0'],
  '172.16.0.0/12': ['172.31.255.255', '172.32.0.0'],
  '192.0.0.0/24': ['192.0.0.255', '192.0.1.0'],
  '192.0.2.0/24': ['192.0.2.255', '192.0.3.0'],
  '192.88.99.0/24': ['192.88.99.255', '192.88.100.0'],
  '192.168.0.0/16': ['192.168.255.255', '192.169.0.0'],
  '198.18.0.0/15': ['198.19.255.255', '198.20.0.0'],
  '198.51.100.0/24': ['198.51.100.255', '198.51.101.0'],
  '203.0.113.0/24': ['203.0.113.255', '203.0.114.0'],
  '224.0.0.0/4': ['239.255.255.255', '240.0.0.0'],
  '255.255.255.255/32': ['255.255.255.255', null],
  '240.0.0.0/4': ['255.255.255.254', '255.255.255.255'],
  '::/128': ['::', '::1'],
  '::1/128': ['::1', '::2'],
  '::/96': ['::ffff:ffff', '::1:0:0'],
  '::ffff:0:0:0/96': ['::ffff:0:ffff:ffff', '::ffff:1:0:0'],
  '64:ff9b::/96': ['64:ff9b::ffff:ffff', '64:ff9b::1:0:0'],
  '64:ff9b:1::/48': ['64:ff9b:1:ffff:ffff:ffff:ffff:ffff', '64:ff9b:2::'],
  '100::/64': ['100::ffff:ffff:ffff:ffff', '100:0:0:1::'],
  '2001::/32': ['2001:0:ffff:ffff:ffff:ffff:ffff:ffff', '2001:1::'],
  '2001:2::/48': ['2001:2:0:ffff:ffff:ffff:ffff:ffff', '2001:2:1::'],
  '2001::/23': ['2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  '2001:db8::/32': ['2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
  '2002::/16': ['2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  '3fff::/20': ['3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::'],
  '5f00::/16': ['5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '5f01::'],
  'fc00::/7': ['fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe00::'],
  'fe80::/10': ['febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fec0::'],
  'fec0::/10': ['feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'ff00::'],
  'ff00::/8': ['ff02::1', null],
  '::/3': ['1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
  '4000::/2': ['7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  '8000::/1': ['fe00::', null],
};

const PUBLIC = [
  '8.8.8.8',
  '172.15.255.255',
  '223.255.255.255',
  '2a00:1450:4009:81f::200e',
  '2620:fe::fe',
  '2000::',
];

describe('the default address policy', () => {
  const policy = new AddressPolicy([]);

  it.each(NON_GLOBAL_RANGES)('rejects $cidr ($name, $source) up to its last address', ({ cidr, name }) => {
    const [inside, past] = EDGES[cidr] ?? [];
    expect(inside).toBeDefined();
    expect(policy.allows(inside!)).toBe(false);
    expect(policy.allows(cidr.split('/')[0]!)).toBe(false);
    expect(nonGlobalRange(inside!)).toBe(name);
    if (past) expect(nonGlobalRange(past)).not.toBe(name);
  });

  it('has test addresses for each range of the table', () => {
    expect(NON_GLOBAL_RANGES.map(({ cidr }) => cidr)).toEqual(Object.keys(EDGES));
  });

  it.each(PUBLIC)('allows the public address %s', (ip) => {
    expect(policy.allows(ip)).toBe(true);
    expect(nonGlobalRange(ip)).toBeNull();
  });

  it.each(['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:FFFF:169.254.169.254', '::ffff:a00:1'])(
    'rejects the IPv4-mapped form %s of a private address',
    (ip) => expect(policy.allows(ip)).toBe(false),
  );

  it.each(['::ffff:8.8.8.8', '::FFFF:808:808'])('allows the IPv4-mapped form %s of a public address', (ip) =>
    expect(policy.allows(ip)).toBe(true),
  );

  it.each([
    ['8.8', 'a short form'],
    ['134744072', 'one number'],
    ['0x08080808', 'hexadecimal'],
    ['010.8.8.8', 'octal'],
    ['8.8.8.8.', 'a final dot'],
    [' 8.8.8.8', 'a space'],
    ['8.8.8.8/32', 'a range'],
    ['[2620:fe::fe]', 'brackets'],
    ['2620:fe::fe%eth0', 'a zone id'],
    ['fe80::1%1', 'a zone id'],
    ['dns.google', 'a name'],
    ['', 'nothing'],
  ])('rejects "%s": %s', (text) => expect(policy.allows(text)).toBe(false));
});

describe('ranges that the operator allows', () => {
  it('are allowed; other private ranges stay rejected', () => {
    const policy = new AddressPolicy(['127.0.0.0/8', '10.1.0.0/16', 'fd00:1::/32']);
    expect(['127.9.9.9', '10.1.255.255', 'fd00:1::5'].map((ip) => policy.allows(ip))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['10.2.0.0', '169.254.169.254', 'fd00:2::5', '::1'].map((ip) => policy.allows(ip))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('match addresses in IPv4 and IPv4-mapped form', () => {
    expect(new AddressPolicy(['127.0.0.0/8']).allows('::ffff:127.0.0.1')).toBe(true);
    expect(new AddressPolicy(['::ffff:127.0.0.0/104']).allows('127.200.0.1')).toBe(true);
    expect(new AddressPolicy(['::ffff:127.0.0.0/104']).allows('10.0.0.1')).toBe(false);
  });

  it('do not allow IPv4 addresses by an IPv6 range', () => {
    const policy = new AddressPolicy(['::/0']);
    expect(policy.allows('::1')).toBe(true);
    expect(policy.allows('127.0.0.1')).toBe(false);
    expect(policy.allows('::ffff:127.0.0.1')).toBe(false);
  });

  it('do not allow invalid addresses', () => {
    expect(new AddressPolicy(['0.0.0.0/0', '::/0']).allows('fe80::1%eth0')).toBe(false);
  });
});
