interface NonGlobalRange {
  cidr: string;
  name: string;
  source: string;
}

/**
 * All address ranges outside the public Internet. Narrow ranges come before wider
 * ones that contain them, so that the first match is the most specific.
 *
 * Source: the IANA special-purpose address registries (RFC 6890). IPv6 ranges that
 * embed an IPv4 address (6to4, NAT64, Teredo) are included completely, because a
 * translator can reach private IPv4 addresses through them.
 */
export const NON_GLOBAL_RANGES: readonly NonGlobalRange[] = [
  { cidr: '0.0.0.0/8', name: 'this network', source: 'RFC 791 §3.2' },
  { cidr: '10.0.0.0/8', name: 'private', source: 'RFC 1918' },
  { cidr: '100.64.0.0/10', name: 'carrier-grade NAT', source: 'RFC 6598' },
  { cidr: '127.0.0.0/8', name: 'loopback', source: 'RFC 1122 §3.2.1.3' },
  { cidr: '169.254.0.0/16', name: 'link-local, cloud metadata', source: 'RFC 3927' },
  { cidr: '172.16.0.0/12', name: 'private', source: 'RFC 1918' },
  { cidr: '192.0.0.0/24', name: 'IETF protocol assignments', source: 'RFC 6890 §2.1' },
  { cidr: '192.0.2.0/24', name: 'documentation', source: 'RFC 5737' },
  { cidr: '192.88.99.0/24', name: '6to4 relay anycast', source: 'RFC 7526' },
  { cidr: '192.168.0.0/16', name: 'private', source: 'RFC 1918' },
  { cidr: '198.18.0.0/15', name: 'benchmarking', source: 'RFC 2544' },
  { cidr: '198.51.100.0/24', name: 'documentation', source: 'RFC 5737' },
  { cidr: '203.0.113.0/24', name: 'documentation', source: 'RFC 5737' },
  { cidr: '224.0.0.0/4', name: 'multicast', source: 'RFC 5771' },
  { cidr: '255.255.255.255/32', name: 'broadcast', source: 'RFC 919 §7' },
  { cidr: '240.0.0.0/4', name: 'reserved', source: 'RFC 1112 §4' },

  { cidr: '::/128', name: 'unspecified', source: 'RFC 4291 §2.5.2' },
  { cidr: '::1/128', name: 'loopback', source: 'RFC 4291 §2.5.3' },
  { cidr: '::/96', name: 'IPv4-compatible', source: 'RFC 4291 §2.5.5.1' },
  { cidr: '::ffff:0:0:0/96', name: 'IPv4-translated', source: 'RFC 2765 §2.1' },
  { cidr: '64:ff9b::/96', name: 'NAT64', source: 'RFC 6052' },
  { cidr: '64:ff9b:1::/48', name: 'local NAT64', source: 'RFC 8215' },
  { cidr: '100::/64', name: 'discard-only', source: 'RFC 6666' },
  { cidr: '2001::/32', name: 'Teredo', source: 'RFC 4380' },
  { cidr: '2001:2::/48', name: 'benchmarking', source: 'RFC 5180' },
  { cidr: '2001::/23', name: 'IETF protocol assignments', source: 'RFC 2928' },
  { cidr: '2001:db8::/32', name: 'documentation', source: 'RFC 3849' },
  { cidr: '2002::/16', name: '6to4', source: 'RFC 3056' },
  { cidr: '3fff::/20', name: 'documentation', source: 'RFC 9637' },
  { cidr: '5f00::/16', name: 'segment routing (SRv6)', source: 'RFC 9602' },
  { cidr: 'fc00::/7', name: 'unique local', source: 'RFC 4193' },
  { cidr: 'fe80::/10', name: 'link-local', source: 'RFC 4291 §2.5.6' },
  { cidr: 'fec0::/10', name: 'site-local', source: 'RFC 3879' },
  { cidr: 'ff00::/8', name: 'multicast', source: 'RFC 4291 §2.7' },

  // Only 2000::/3 is allocated as global unicast (RFC 4291 §2.4); overlay networks use the rest.
  { cidr: '::/3', name: 'not global unicast', source: 'IANA IPv6 address space' },
  { cidr: '4000::/2', name: 'not global unicast', source: 'IANA IPv6 address space' },
  { cidr: '8000::/1', name: 'not global unicast', source: 'IANA IPv6 address space' },
];
