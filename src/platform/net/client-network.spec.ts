import { expect, it } from '@jest/globals';
import { clientNetworkOf, networksOf } from './client-network.js';

it.each([
  ['192.0.2.1', ['192.0.2/24', '192.0.2.1']],
  ['::ffff:192.0.2.1', ['::ffff:192.0.2/24', '::ffff:192.0.2.1']],
  ['2001:db8:1:234:3:4:5:6', ['2001:db8:1/48', '2001:db8:1:2/56', '2001:db8:1:234']],
  ['2001:0DB8:1:2::9', ['2001:db8:1/48', '2001:db8:1:0/56', '2001:db8:1:2']],
  ['2001:db8::9', ['2001:db8:0/48', '2001:db8:0:0/56', '2001:db8:0:0']],
  ['2001:db8:0:ff01:1::', ['2001:db8:0/48', '2001:db8:0:ff/56', '2001:db8:0:ff01']],
  ['::1', ['0:0:0/48', '0:0:0:0/56', '0:0:0:0']],
  ['::', ['0:0:0/48', '0:0:0:0/56', '0:0:0:0']],
  ['unknown', ['unknown']],
  ['', ['']],
])('%s belongs to %j', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
  expect(clientNetworkOf(address)).toBe(networks.at(-1));
});
