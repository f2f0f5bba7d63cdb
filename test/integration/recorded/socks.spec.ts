import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { SocksDialler } from '../../../src/platform/net/socks-dialler.js';
import { socksRecordingOf, type SentOctets } from '../../support/recorded/socks/recording.js';
import { octetsOf, portOf } from '../../support/recorded/socks/sent-octets.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';
import { SmtpServer } from '../../support/smtp/smtp-server.js';
import { SocksServer, type SocksBehaviour } from '../../support/smtp/socks-server.js';

let proxy: SocksServer;
let mail: SmtpServer | null = null;
afterEach(async () => {
  await proxy.stop();
  await mail?.stop();
  mail = null;
});

const ACCOUNT = { username: 'proxyuser', password: 'secret' };

function recorded(name: string, title: string): SentOctets[] {
  return socksRecordingOf(name).exchanges.find((exchange) => exchange.title === title)!.octets;
}

/** Without the port from which the proxy has connected. */
function withoutPort([speaker, octets]: SentOctets): SentOctets {
  const bound = /^(05..00(?:01.{8}|04.{32}))....(.*)$/.exec(octets ?? '');
  return speaker === 'S' && bound !== null
    ? ['S', `${bound[1]}0000${bound[2]}`]
    : ([speaker, octets] as SentOctets);
}

describe('the scripted proxy answers as Dante', () => {
  it.each<[string, string, Partial<SocksBehaviour>]>([
    ['dante', 'to an IPv4 address', {}],
    ['dante', 'to an IPv6 address', { bound: 'ipv6' }],
    ['dante', 'to a closed port', { reply: 5 }],
    ['dante', 'no method that it knows', {}],
    ['dante', 'both methods', {}],
    ['dante', 'no authentication', {}],
    ['dante-account', 'to an IPv4 address', { account: ACCOUNT }],
    ['dante-account', 'both methods', { account: ACCOUNT }],
    ['dante-account', 'no authentication', { account: ACCOUNT }],
    ['dante-account', 'a name and a password', { account: ACCOUNT }],
  ])('%s: %s', async (name, title, behaviour) => {
    mail = await SmtpServer.start({ behaviour: mailboxes() });
    proxy = await SocksServer.start({ ...behaviour, leadsTo: { host: mail.host, port: mail.port } });
    const octets = recorded(name, title);
    const sent = octets.flatMap(([speaker, each]) => (speaker === 'C' ? [each] : []));
    const answered = await octetsOf(proxy.port, sent, 25);
    expect(answered.map(withoutPort)).toEqual(octets.map(withoutPort));
  });
});

/** Connects to port 25 through a proxy that answers the request so. */
async function dial(octets: readonly SentOctets[]) {
  const answers = octets.flatMap(([speaker, each]) => (speaker === 'S' && each !== null ? [each] : []));
  const reply = answers.at(-1)!;
  proxy = await SocksServer.start({
    instead: { request: reply.length > 4 ? Buffer.from(reply, 'hex') : 'close' },
  });
  const dialler = new SocksDialler({ host: proxy.host, port: proxy.port, credentials: null, pin: null });
  return dialler.dial('127.0.0.1', 25, 5_000, new AbortController().signal);
}

describe('a connection through a proxy', () => {
  it.each(
    ['openssh', 'dante'].flatMap((name) =>
      ['to an IPv4 address', 'to an IPv6 address'].map((title) => [name, title]),
    ),
  )('gets the first octets of the mail server with the reply: %s, %s', async (name, title) => {
    const socket = await dial(recorded(name, title));
    const [banner] = (await once(socket, 'data')) as [Buffer];
    expect(banner.toString()).toBe('220 mx.test ESMTP\r\n');
    socket.destroy();
  });

  it.each([
    // It closes the connection, whatever the reason is.
    ['openssh', 'egress'],
    ['dante', 'target'],
  ])('that cannot be made by %s has failed on the side of the %s', async (name, side) => {
    await expect(dial(recorded(name, 'to a closed port'))).rejects.toMatchObject({ side });
  });

  it('is asked for with the octets that were recorded', async () => {
    const [[, greeting], , [, request]] = recorded('openssh', 'to an IPv4 address') as [
      ['C', string],
      SentOctets,
      ['C', string],
    ];
    proxy = await SocksServer.start({ reply: 5 });
    const dialler = new SocksDialler({ host: proxy.host, port: proxy.port, credentials: null, pin: null });
    await expect(dialler.dial('127.0.0.1', 25, 5_000, new AbortController().signal)).rejects.toThrow();
    expect(proxy.offers).toEqual([[...Buffer.from(greeting, 'hex').subarray(2)]]);
    expect(proxy.requests).toEqual([{ addressType: 'ipv4', address: '127.0.0.1', port: 25 }]);
    expect(request).toBe(`050100017f000001${portOf(25)}`);
  });
});
