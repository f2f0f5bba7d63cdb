import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Pause } from '../../../src/kernel/service-state/pause.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { DirectDialler } from '../../../src/platform/net/dialler.js';
import { AddressPolicy } from '../../../src/platform/net/address-policy.js';
import { HostAddresses } from '../../../src/platform/net/host-addresses.js';
import { NON_GLOBAL_RANGES } from '../../../src/platform/net/non-global-ranges.js';
import { FetchFailure, SafeFetch } from '../../../src/platform/net/safe-fetch.js';
import { DnsWorld } from '../../support/dns/dns-world.js';
import type { DnsName } from '../../support/dns/dns-zones.js';
import { rowsOf } from '../../support/app/joins.js';
import { answering } from '../../support/webhooks/webhook-receiver.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';

/** A third party's address: never dialled, since the dialler of these tests only records it. */
const PUBLIC = '8.8.8.8';
const PUBLIC_V6 = '2620:fe::fe';

/** Every notation of this machine or a neighbour in a URL. */
const LITERALS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.01',
  '127.0.0.1.',
  '１２７.0.0.1',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '0xa9fea9fe',
  '172.16.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::10.0.0.1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
];

/** The records of a name, and why it is not dialled. */
const NAMES: Record<string, DnsName> = {
  'loopback.test': { a: ['127.0.0.1'] },
  'metadata.test': { a: ['169.254.169.254'] },
  'mixed.test': { a: [PUBLIC, '127.0.0.1'] },
  'mixed-families.test': { a: [PUBLIC], aaaa: ['::1'] },
  'mapped.test': { aaaa: ['::ffff:127.0.0.1'] },
  'nat64.test': { aaaa: ['64:ff9b::7f00:1'] },
  'sixtofour.test': { aaaa: ['2002:7f00:1::'] },
  'alias.test': { cname: 'loopback.test' },
  'many.test': { a: [PUBLIC, '8.8.4.4', '9.9.9.9', '149.112.112.112', '10.0.0.1'] },
};
for (const [n, { cidr }] of NON_GLOBAL_RANGES.entries()) {
  const [first = ''] = cidr.split('/');
  NAMES[`range${n}.test`] = first.includes(':') ? { aaaa: [first] } : { a: [first] };
}

/** Records dialled addresses; only this machine is really dialled. */
class NotingDialler extends DirectDialler {
  readonly dialled: string[] = [];

  override dial(ip: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    this.dialled.push(ip);
    if ([PUBLIC, PUBLIC_V6].includes(ip)) return Promise.reject(new Error('not dialled in tests'));
    return super.dial(ip, port, timeoutMs, signal);
  }
}

/** Counts connections, on both addresses of this machine. */
async function listener(): Promise<{ server: Server; port: number; came: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  server.listen(0, '::');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, came: () => connections };
}

describe('no request is sent', () => {
  let dns: DnsWorld;
  let target: Awaited<ReturnType<typeof listener>>;
  let dialler: NotingDialler;

  beforeAll(async () => {
    dns = await DnsWorld.start({ zones: NAMES });
    target = await listener();
  });
  beforeEach(() => {
    dialler = new NotingDialler();
  });
  afterAll(async () => {
    await dns.stop();
    target.server.close();
  });

  const post = (host: string, allowed: string[] = []) => {
    const net = new SafeFetch({
      policy: new AddressPolicy(allowed),
      hosts: new HostAddresses([dns.server], 2_000),
      dialler,
      pause: new Pause(),
    });
    return net.post(new URL(`http://${host}:${target.port}/`), {}, '{}', 1_000, 5_000).then(
      () => 'answered',
      (error: unknown) => (error instanceof FetchFailure ? error.kind : error),
    );
  };

  it.each(LITERALS)('to http://%s', async (host) => {
    expect(await post(host)).toBe('address_not_allowed');
    expect([dialler.dialled, target.came()]).toEqual([[], 0]);
  });

  it.each(Object.entries(NAMES))('to a name with such an address: %s %j', async (host) => {
    expect(await post(host)).toBe('address_not_allowed');
    expect([dialler.dialled, target.came()]).toEqual([[], 0]);
  });

  it('to a name that resolves to a public address first and to another one later', async () => {
    dns.set('rebinding.test', { a: [PUBLIC], ttl: 0 });
    expect(await post('rebinding.test')).toBe('connection');
    expect(dialler.dialled).toEqual([PUBLIC]);
    // One lookup per connection: no second one could differ.
    const questions = await dns.queriesFor('rebinding.test', 2);
    expect(questions.map(({ type }) => type).sort()).toEqual(['A', 'AAAA']);
    dns.set('rebinding.test', { a: ['127.0.0.1'], ttl: 0 });
    expect(await post('rebinding.test')).toBe('address_not_allowed');
    expect([dialler.dialled, target.came()]).toEqual([[PUBLIC], 0]);
  });

  it('to a name without an address, or whose name server does not answer', async () => {
    dns.set('silent.test', { behaviour: 'silent' });
    for (const host of ['nowhere.test', 'silent.test'])
      expect([host, await post(host)]).toEqual([host, 'dns']);
    expect(dialler.dialled).toEqual([]);
  });

  it('except to networks that the operator has allowed', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'loopback.test']) {
      expect([host, await post(host, ['127.0.0.0/8'])]).toEqual([host, 'connection']);
    }
    expect(dialler.dialled).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
    for (const host of ['[::1]', '10.0.0.1', 'mapped-other.test'])
      expect([host, await post(host, ['127.0.0.0/8'])]).toEqual([
        host,
        expect.stringMatching(/^(address|dns)/),
      ]);
    expect(dialler.dialled).toHaveLength(3);
  });
});

describe('a webhook', () => {
  let dns: DnsWorld;
  let world: WebhookApp;
  let account: NewAccount;
  let target: Awaited<ReturnType<typeof listener>>;

  beforeAll(async () => {
    dns = await DnsWorld.start({ zones: NAMES });
    target = await listener();
    world = await WebhookApp.start({ DNS_SERVERS: dns.server, WEBHOOK_ALLOW_CIDRS: '127.0.0.7/32' });
    account = await world.app.anAccount();
  });
  afterAll(async () => {
    await world.stop();
    await dns.stop();
    target.server.close();
  });

  const attemptAt = async (url: string, stored = url) => {
    const webhook = await world.aWebhook(account.liveKey, url);
    await rowsOf(world.app, 'UPDATE webhooks SET url = $2 WHERE id = $1', [webhook.id, stored]);
    await world.aTest(webhook, account);
    await world.send();
    const [delivery] = await world.deliveries(webhook, account);
    return delivery?.attempts[0];
  };

  it('is checked at every delivery, not only when it was registered', async () => {
    const attempt = await attemptAt(`http://loopback.test:${target.port}/`);
    expect(attempt).toMatchObject({
      status_code: null,
      error: 'address_not_allowed',
      response_excerpt: null,
    });
    expect(target.came()).toBe(0);
  });

  it('with a URL that is no longer allowed gets no delivery', async () => {
    for (const stored of [
      `http://127.0.0.1:${target.port}/`,
      `http://u:p@127.0.0.7:${target.port}/`,
      'http://127.0.0.7:25/',
    ])
      expect(await attemptAt('http://receiver.test/', stored)).toMatchObject({
        error: 'address_not_allowed',
      });
    expect(target.came()).toBe(0);
  });

  it('with a redirect in its response has failed, and the redirect is not followed', async () => {
    const [other, receiver] = [await world.aReceiver(), await world.aReceiver()];
    const opened = await WebhookApp.start();
    const owner = await opened.app.anAccount();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.behave = answering(status, { location: other.url });
      const webhook = await opened.aWebhook(owner.liveKey, receiver.url);
      await opened.aTest(webhook, owner);
      await opened.send();
      const [delivery] = await opened.deliveries(webhook, owner);
      expect(delivery).toMatchObject({
        status: 'pending',
        attempts: [{ status_code: status, error: 'redirect' }],
      });
    }
    expect([receiver.received.length, other.connections]).toEqual([5, 0]);
    await opened.stop();
  });
});
