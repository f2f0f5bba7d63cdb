import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once, setMaxListeners } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { EgressDialler } from '../../../src/engine/egress/adapters/egress-dialler.js';
import { MAX_CONNECTIONS } from '../../../src/engine/egress/adapters/smtp-egresses.js';
import { EgressOutage } from '../../../src/engine/egress/egress-outage.js';
import { createEngine } from '../../../src/engine/library/create-engine.js';
import { EgressTotal } from '../../../src/engine/limits/egress-total.js';
import { PERMIT_TIMES } from '../../../src/engine/limits/permit-store.js';
import { SharedConnectionPermits } from '../../../src/engine/limits/adapters/shared-connection-permits.js';
import { parseEgresses } from '../../../src/platform/config/egress-config.js';
import { SocksDialler } from '../../../src/platform/net/socks-dialler.js';
import { SystemClock } from '../../../src/platform/time/system-clock.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { LoopbackEgress } from '../../support/smtp/egress.js';
import { SharedDatabase } from '../../support/smtp/shared-database.js';

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);
const clock = new SystemClock();
/** A process learns soon what another one asks for. */
const times = { ...PERMIT_TIMES, renewalMs: 500 };

describe('the connections of an egress', () => {
  const stores = new SharedDatabase();
  let target: Server;
  let egress: LoopbackEgress;
  /** Accepted by the target. */
  const reached = new Set<Socket>();
  let most = 0;
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    await stores.start();
    target = createServer((socket) => {
      reached.add(socket.on('error', () => undefined).on('close', () => reached.delete(socket)));
      most = Math.max(most, reached.size);
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    egress = await LoopbackEgress.start((target.address() as AddressInfo).port);
  });
  afterEach(async () => {
    for (const socket of reached) socket.destroy();
    await Promise.all(closing.splice(0).map((close) => close()));
  });
  afterAll(async () => {
    await egress.stop();
    target.close();
    await stores.drop();
  });

  /** One process of the installation. */
  async function aProcess(name: string) {
    const store = await stores.connect();
    const permits = new SharedConnectionPermits({ store, process: name, clock, times });
    closing.push(() => permits.close());
    const [settings] = parseEgresses(egress.item);
    if (settings?.route.kind !== 'socks5') throw new Error('expected a proxy');
    const outage = new EgressOutage();
    const total = new EgressTotal('one', MAX_CONNECTIONS, permits);
    const dialler = new EgressDialler({ dialler: new SocksDialler(settings.route.proxy), outage, clock });
    const { port } = target.address() as AddressInfo;
    const dial = async (team: string, priority: 'single' | 'list') => {
      const slot = await total.acquire({ team, priority }, NEVER);
      const socket = await dialler.dial('127.0.0.1', port, 20_000, NEVER);
      return socket.once('close', () => slot?.release());
    };
    return { outage, dial };
  }

  it('of two processes fit into what the egress accepts, and every dial gets its turn', async () => {
    const processes = [await aProcess('a'), await aProcess('b')];
    const dials = processes.flatMap(({ dial }) =>
      Array.from({ length: 150 }, (_, n) =>
        dial(`team ${n % 5}`, 'list').then(async (socket) => {
          await pause(50);
          await once(socket.destroy(), 'close');
        }),
      ),
    );
    await Promise.all(dials);
    expect(most).toBeLessThanOrEqual(MAX_CONNECTIONS);
    expect(processes.map(({ outage }) => outage.failure)).toEqual([null, null]);
  }, 60_000);

  it('leave some for a single call of another process while a list has as many as it can', async () => {
    const worker = await aProcess('worker');
    const api = await aProcess('api');
    for (let n = 0; n < 250; n += 1) void worker.dial('a', 'list').catch(() => undefined);
    while (reached.size < 150) await once(target, 'connection');
    const socket = await api.dial('b', 'single');
    expect(socket.destroyed).toBe(false);
    expect(reached.size).toBeLessThanOrEqual(MAX_CONNECTIONS);
  }, 60_000);
});

describe('an egress that fails', () => {
  it.each([
    [
      'its password is wrong',
      (item: string) => item.replace(/:[^:@]+@/, ':wrong@'),
      'refused the user or the password',
    ],
    [
      'it has another certificate',
      (item: string) => item.replace(/sha256:\w{4}/, 'sha256:0000'),
      'another certificate',
    ],
    [
      'nothing listens there',
      (item: string) => item.replace(/127.0.0.1:\d+/, '127.0.0.1:1'),
      'cannot be reached',
    ],
  ])(
    'is the reason of the verdict, with its cause, and costs no wrong one: %s',
    async (_, changed, sentence) => {
      const world = await MailWorld.start();
      const egress = await LoopbackEgress.start(world.smtp.port);
      const engine = createEngine({
        dnsServers: [world.dns.server],
        smtpPort: world.smtp.port,
        mxAllowCidrs: ['127.0.0.0/8'],
        smtpHeloName: 'verify.mailworld',
        smtpEgress: [changed(egress.item)],
      });
      const verdict = await engine.verify('jane@plain.mailworld');
      expect(verdict).toMatchObject({
        status: 'unknown',
        reason: 'egress_unavailable',
        smtp: { rule: 'egress_unavailable', code: null, egress: 'egress-1' },
      });
      expect(verdict.smtp?.text).toContain(sentence);
      expect(verdict.smtp?.text).not.toMatch(/127\.|:\d+/);
      await engine.close();
      await egress.stop();
      await world.stop();
    },
  );
});
