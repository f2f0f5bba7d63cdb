import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setMaxListeners } from 'node:events';
import { mailboxes, type SmtpBehaviour } from '../../../../test/support/smtp/smtp-behaviours.js';
import { poolOptions } from '../../../../test/support/smtp/pool-options.js';
import { SmtpServer, type ServerGroup } from '../../../../test/support/smtp/smtp-server.js';
import { SystemClock } from '../../../platform/time/system-clock.js';
import { Providers } from '../../providers/session-limits.js';
import { SmtpSessionPool } from './smtp-session-pool.js';

const HOSTS = Array.from({ length: 6 }, (_, n) => `127.0.4.${n + 1}`);
const GOOGLE = 'aspmx.l.google.com';
const clock = new SystemClock();

function slowly(): SmtpBehaviour {
  const { rcpt, ...rest } = mailboxes('jane');
  return { ...rest, extensions: [], rcpt: (asking) => ({ afterMs: 10, then: rcpt(asking) }) };
}

/** Servers of one provider, which other names lead to as well. */
describe('sessions with servers that have several names', () => {
  let group: ServerGroup;
  let servers: SmtpServer[];
  let pool: SmtpSessionPool;
  const signal = new AbortController().signal;
  setMaxListeners(0, signal);

  beforeEach(async () => {
    group = { most: Infinity, open: 0, peak: 0 };
    const first = await SmtpServer.start({ behaviour: slowly(), host: HOSTS[0], group });
    const { port } = first;
    const others = HOSTS.slice(1).map((host) => SmtpServer.start({ behaviour: slowly(), host, port, group }));
    servers = [first, ...(await Promise.all(others))];
    const registrableOf = (host: string) => host.split('.').slice(-2).join('.');
    const providers = new Providers({ connectionsPerHost: 4, registrableOf });
    pool = new SmtpSessionPool(poolOptions(port, clock, { providers }));
  });
  afterEach(async () => {
    await pool.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const ask = (ip: string, mxHost: string, n: number) => {
    const recipient = { mailbox: `jane@d${n}.test`, international: false, provider: null };
    const request = { team: '', priority: 'list', recipient, signal } as const;
    return pool.probe(ip, mxHost, { ...request, greetingDeadlineMs: clock.monotonicMs() + 20_000 });
  };
  const askAll = (mxHost: (n: number) => string, count = 10) =>
    HOSTS.flatMap((ip) => Array.from({ length: count }, (_, n) => ask(ip, mxHost(n), n)));
  const peakOf = ({ maxConcurrent }: SmtpServer) => maxConcurrent;

  it('are within the total of the provider, although another name was seen first', async () => {
    for (const name of ['mx.vanity.example', GOOGLE]) for (const ip of HOSTS) await ask(ip, name, 0);
    await pool.close();
    group.peak = 0;
    await Promise.all([...askAll(() => 'mx.vanity.example'), ...askAll(() => GOOGLE)]);
    expect(group.peak).toBeLessThanOrEqual(5);
  });

  it('are within it when the name of the provider comes while those of another name are open', async () => {
    const vanity = Array.from({ length: 40 }, (_, n) => ask(HOSTS[0]!, 'mx.vanity.example', n));
    await servers[0]!.until(({ openConnections }) => openConnections === 4);
    await Promise.all([...vanity, ...askAll(() => GOOGLE)]);
    expect(group.peak).toBeLessThanOrEqual(5);
    expect(peakOf(servers[0]!)).toBeLessThanOrEqual(4);
  });

  it('are within the limit of an address over all of its names', async () => {
    await Promise.all(askAll((n) => `mx.customer${n}.example`, 40));
    expect(Math.max(...servers.map(peakOf))).toBeLessThanOrEqual(4);
  });

  it('are counted for the own name of a server, once no session of another name is open', async () => {
    await Promise.all(HOSTS.map((ip, n) => ask(ip, `mx.vanity${n}.example`, 0)));
    await pool.close();
    await Promise.all(askAll((n) => `mx${n}.hoster.example`, 20));
    expect(group.peak).toBeLessThanOrEqual(8);
  });
});
