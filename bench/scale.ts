import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BulkJobResponse } from '../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { BulkFleet, QUEUE_BACKENDS, type QueueBackendName } from '../test/support/processes/bulk-fleet.js';
import { hasRedis } from '../test/support/queue/redis-server.js';
import { WITH_TYPESCRIPT } from '../test/support/processes/with-typescript.js';
import { processorMs } from './bulk/processor-time.js';
import { withDatabase } from './embedded-database.js';
import {
  addressesOf,
  type KnownAddress,
  type WorldCounts,
  type WorldOptions,
  type WorldPlace,
} from './engine/world.js';
import { messageFrom } from './messages.js';

/**
 * Measures one list with an API and several workers, each a process, and with servers that allow five
 * connections per client: addresses per second, the maximum number of connections to one server, rejected
 * connections, verdicts, and processor time of the workers. The first line is the engine alone: the same
 * addresses and servers in one process, as in `bench/engine.ts`. Goal: a worker has 0.8 of its rate. All
 * processes are new, and the compilation of their code is a part of the time.
 *
 *     npm run build && npm run ts -- bench/scale.ts [--workers 1,2,4] [--store PostgreSQL] [--world slow] [--domain 100] [--sorted]
 *
 * `--domain` is the number of addresses of a domain; `--sorted` sorts the list by domain, which alternate
 * otherwise.
 *
 * - `pipelining`: 50 servers reply after 50 ms. One worker uses a whole processor.
 * - `simple`: the same servers without PIPELINING. One worker waits for the servers.
 * - `slow`: 400 servers without PIPELINING reply after a second. The processors are idle, and one worker is
 *   limited by its number of chunks. Goal: two workers have 1.7 times its rate.
 */
const { values: options } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4' },
    store: { type: 'string' },
    world: { type: 'string' },
    domain: { type: 'string' },
    sorted: { type: 'boolean', default: false },
  },
});
const WORKERS = options.workers.split(',').map(Number);
const STORES = QUEUE_BACKENDS.filter((backend) => backend === (options.store ?? backend));
const LIMITED = { domains: 50, latencyMs: 50, maxConnections: 5 };
const SLOW = { domains: 400, latencyMs: 1_000, maxConnections: 5 };
const WORLDS: Readonly<Record<string, WorldOptions>> = {
  pipelining: { ...LIMITED, addressesPerDomain: 100, pipelining: true },
  simple: { ...LIMITED, addressesPerDomain: 200, pipelining: false },
  slow: { ...SLOW, addressesPerDomain: 40, pipelining: false },
};

async function main(): Promise<void> {
  for (const store of STORES.filter((store) => store !== 'Redis' || hasRedis))
    for (const [title, world] of Object.entries(WORLDS)) {
      if (title !== (options.world ?? title)) continue;
      const of = { ...world, addressesPerDomain: Number(options.domain ?? world.addressesPerDomain) };
      const runs = [await measureEngine(of)];
      for (const workers of WORKERS) runs.push(await measureList(store, workers, of));
      console.log(`\n${title}, ${store}`);
      console.table(runs);
    }
}

interface Measured {
  ms: number;
  /** Of the processes that verify. */
  cpuMs: number;
  done: number;
  byStatus: Readonly<Record<string, number | undefined>>;
}

/** More than the number of sessions, so that sessions are the limit. */
const ENGINE_CONCURRENCY = 2_000;

function measureEngine(of: WorldOptions) {
  return inWorld('engine alone', 1, of, async (place, addresses) => {
    const child = fork(join(import.meta.dirname, 'engine/contestant.mjs'), ['rcpt', JSON.stringify(place)], {
      execArgv: [],
    });
    await messageFrom(child);
    child.send({ emails: addresses.map(({ email }) => email), concurrency: ENGINE_CONCURRENCY });
    const { ms, cpuMs, verdicts } = await messageFrom<EngineRun>(child);
    child.disconnect();
    await once(child, 'exit');
    const byStatus: Record<string, number> = {};
    for (const { status } of verdicts) byStatus[status] = (byStatus[status] ?? 0) + 1;
    return { ms, cpuMs, done: verdicts.length, byStatus };
  });
}

interface EngineRun {
  ms: number;
  cpuMs: number;
  verdicts: { status: string }[];
}

function measureList(store: QueueBackendName, workers: number, of: WorldOptions) {
  return inWorld(`workers: ${workers}`, workers, of, async ({ dnsServer, smtpPort }, addresses) => {
    const env = {
      DNS_SERVERS: dnsServer,
      DNS_TIMEOUT_MS: '5000',
      SMTP_PORT: String(smtpPort),
      SMTP_HELO_NAME: 'verify.example.org',
      MX_ALLOW_CIDRS: '127.0.0.0/8',
    };
    const fleet = await BulkFleet.start(store, workers, env, true);
    try {
      const { live_key: key } = await fleet.anAccount('unlimited');
      const cpuBefore = await cpuMsOf(fleet);
      const began = performance.now();
      const id = await fleet.submit(
        addresses.map(({ email }) => email),
        key,
      );
      let job: BulkJobResponse;
      do {
        await new Promise((resolve) => setTimeout(resolve, 100));
        job = await fleet.get<BulkJobResponse>(`/v1/bulk-jobs/${id}`, key);
      } while (job.processed < job.total && performance.now() - began < 120_000);
      const ms = performance.now() - began;
      return {
        ms,
        cpuMs: (await cpuMsOf(fleet)) - cpuBefore,
        done: job.processed,
        byStatus: { ...job.by_status },
      };
    } finally {
      await fleet.stop();
    }
  });
}

function listOf(of: WorldOptions): KnownAddress[] {
  const domainOf = ({ email }: KnownAddress) => email.slice(email.indexOf('@'));
  const addresses = addressesOf(of);
  return options.sorted ? addresses.sort((a, b) => domainOf(a).localeCompare(domainOf(b))) : addresses;
}

/** Runs a measurement with new servers. */
async function inWorld(
  run: string,
  processes: number,
  of: WorldOptions,
  measure: (place: WorldPlace, addresses: readonly KnownAddress[]) => Promise<Measured>,
) {
  const world = fork(join(import.meta.dirname, 'engine/world.ts'), [JSON.stringify(of)], {
    execArgv: [...WITH_TYPESCRIPT],
  });
  try {
    const place = await messageFrom<WorldPlace>(world);
    const addresses = listOf(of);
    const { ms, cpuMs, done, byStatus } = await measure(place, addresses);
    world.send('counts');
    const counts = await messageFrom<WorldCounts>(world);
    const { deliverable = 0, undeliverable = 0, unknown = 0 } = byStatus;
    return {
      run,
      'addresses/s': Math.round((done / ms) * 1000),
      'most at once': counts.mostAtOnce,
      connections: counts.connections,
      'turned away': counts.turnedAway,
      deliverable,
      undeliverable,
      unknown,
      'not done': addresses.length - done,
      'CPU ms/address': (cpuMs / addresses.length).toFixed(2),
      'processor share': (cpuMs / ms / processes).toFixed(2),
    };
  } finally {
    world.disconnect();
  }
}

/** Of the workers. */
async function cpuMsOf({ workers }: BulkFleet): Promise<number> {
  const times = await Promise.all(workers.map(({ child }) => processorMs(child.pid)));
  return times.reduce((sum, value) => sum + value, 0);
}

await withDatabase(main);
