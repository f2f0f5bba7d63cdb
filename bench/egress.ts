import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WITH_TYPESCRIPT } from '../test/support/processes/with-typescript.js';
import { addressesOf, type WorldOptions, type WorldPlace } from './engine/world.js';

/**
 * Compares addresses per second of a list directly, and through one and two processes of `rcpt egress`, with
 * 50 ms per reply. Servers, egresses and engine are separate processes. With few domains the mail servers are
 * the limit; with many the processors are, which an egress of a machine of its own would not share.
 *
 *     npm run build && npm run ts bench/egress.ts
 */
const WORLDS: Readonly<Record<string, WorldOptions>> = {
  'the mail servers are the limit': worldOf(8, 400),
  'the processors are the limit': worldOf(50, 200),
};
const FIRST_PORT = 11_080;
const CONCURRENCY = 1_000;
const ROUNDS = 3;
const root = join(import.meta.dirname, '..');

function worldOf(domains: number, addressesPerDomain: number): WorldOptions {
  return { domains, addressesPerDomain, latencyMs: 50, pipelining: false, maxConnections: null };
}

async function main(): Promise<void> {
  for (const [limit, options] of Object.entries(WORLDS)) {
    console.log(`\n${limit}: ${options.domains} domains`);
    await compare(options);
  }
}

async function compare(options: WorldOptions): Promise<void> {
  const total = options.domains * options.addressesPerDomain;
  const world = fork(join(import.meta.dirname, 'engine/world.ts'), [JSON.stringify(options)], {
    execArgv: [...WITH_TYPESCRIPT],
  });
  const [place] = (await once(world, 'message')) as [WorldPlace];
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-egress-'));
  const egresses = await Promise.all(
    [0, 1].map((n) => anEgress(place, join(dataDir, String(n)), FIRST_PORT + n)),
  );
  const items = egresses.map(({ item }) => item);
  const routes = { direct: ['direct'], 'one egress': items.slice(0, 1), 'two egresses': items };
  for (let round = 1; round <= ROUNDS; round += 1)
    for (const [route, smtpEgress] of Object.entries(routes)) {
      const { ms, right } = await run(place, smtpEgress, addressesOf(options));
      console.log(`${route}: ${Math.round((total / ms) * 1000)} a second, ${right} of ${total} right`);
    }
  for (const { child } of egresses) child.kill();
  world.disconnect();
  await rm(dataDir, { recursive: true });
}

async function anEgress({ dnsServer, smtpPort }: WorldPlace, dataDir: string, port: number) {
  const args = [
    join(root, 'bin/rcpt.js'),
    'egress',
    '--listen',
    `127.0.0.1:${port}`,
    '--port',
    String(smtpPort),
  ];
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    DNS_SERVERS: dnsServer,
    MX_ALLOW_CIDRS: '127.0.0.0/8',
    SMTP_HELO_NAME: 'bench.example.org',
  };
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout! })) {
    const item = /^SMTP_EGRESS=(.*)$/.exec(line)?.[1];
    if (item !== undefined) return { child, item };
  }
  throw new Error('rcpt egress ended');
}

/** In a process of its own, which compiles its code each time. */
async function run(
  place: WorldPlace,
  smtpEgress: readonly string[],
  addresses: ReturnType<typeof addressesOf>,
): Promise<{ ms: number; right: number }> {
  const child = fork(join(import.meta.dirname, 'egress/contestant.mjs'), [], { execArgv: [] });
  child.send({ place, smtpEgress, concurrency: CONCURRENCY, addresses });
  const [measured] = (await once(child, 'message')) as [{ ms: number; right: number }];
  child.disconnect();
  return measured;
}

await main();
