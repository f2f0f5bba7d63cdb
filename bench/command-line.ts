import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WITH_TYPESCRIPT } from '../test/support/processes/with-typescript.js';
import { addressesOf, type WorldOptions, type WorldPlace } from './engine/world.js';

/**
 * Measures `rcpt bulk` without a service, as a process, with the servers of `bench/engine.ts`: addresses per
 * second of a list in which the domains alternate, of the same list sorted by domain, and of a list of one
 * domain, the time to the first rows of the output, and the peak memory. Start and compilation are a part of
 * the time. Goal: the sorted list has 0.8 of the rate of the alternating one.
 *
 *     npm run build && npm run ts -- bench/command-line.ts [--world slow] [--root .]
 *
 * `--root` is a checkout with its build, to compare two of them.
 */
const { values: options } = parseArgs({
  options: { world: { type: 'string' }, root: { type: 'string', default: join(import.meta.dirname, '..') } },
});
const LIMITED = { maxConnections: 5 };
const WORLDS: Readonly<Record<string, WorldOptions>> = {
  pipelining: { ...LIMITED, domains: 50, addressesPerDomain: 400, latencyMs: 50, pipelining: true },
  simple: { ...LIMITED, domains: 50, addressesPerDomain: 100, latencyMs: 50, pipelining: false },
  slow: { ...LIMITED, domains: 100, addressesPerDomain: 10, latencyMs: 1_000, pipelining: false },
  'one domain': { ...LIMITED, domains: 1, addressesPerDomain: 2_000, latencyMs: 50, pipelining: true },
};
const WATCH_INTERVAL_MS = 50;

async function main(): Promise<void> {
  for (const [title, world] of Object.entries(WORLDS)) {
    if (title !== (options.world ?? title)) continue;
    const emails = addressesOf(world).map(({ email }) => email);
    const domainOf = (email: string) => email.slice(email.indexOf('@'));
    const sorted = [...emails].sort((a, b) => domainOf(a).localeCompare(domainOf(b)));
    const runs = [await measure('alternating', world, emails)];
    if (world.domains > 1) runs.push(await measure('sorted', world, sorted));
    console.log(`\n${title}: ${emails.length} addresses`);
    console.table(runs);
  }
}

/** Runs the command with new servers. */
async function measure(order: string, of: WorldOptions, emails: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  const world = fork(join(import.meta.dirname, 'engine/world.ts'), [JSON.stringify(of)], {
    execArgv: [...WITH_TYPESCRIPT],
  });
  try {
    const [place] = (await once(world, 'message')) as [WorldPlace];
    const list = join(folder, 'list.csv');
    await writeFile(list, `email\n${emails.join('\n')}\n`);
    const began = performance.now();
    const child = runBulk(list, join(folder, 'out.csv'), place, folder);
    const seen = watch(child, join(folder, 'out.csv.part'), began);
    const [code] = (await once(child, 'exit')) as [number | null];
    const ms = performance.now() - began;
    if (code !== 0) throw new Error(`rcpt bulk ended with ${code}`);
    const { firstRowsMs, peakMb } = await seen;
    return {
      order,
      'addresses/s': Math.round((emails.length / ms) * 1_000),
      's to the first rows': ((firstRowsMs ?? ms) / 1_000).toFixed(1),
      'peak MB': Math.round(peakMb),
    };
  } finally {
    world.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

function runBulk(
  list: string,
  output: string,
  { dnsServer, smtpPort }: WorldPlace,
  dataDir: string,
): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, [resolve(options.root, 'bin/rcpt.js'), 'bulk', list, '-o', output], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH,
      HOME,
      DNS_SERVERS: dnsServer,
      SMTP_PORT: String(smtpPort),
      SMTP_HELO_NAME: 'verify.example.org',
      MX_ALLOW_CIDRS: '127.0.0.0/8',
      DATA_DIR: dataDir,
    },
  });
}

/** Reads the peak memory (Linux) and the size of the output until the process ends. */
async function watch(child: ChildProcess, part: string, began: number) {
  const { pid } = child;
  let firstRowsMs: number | null = null;
  let peakMb = 0;
  while (child.exitCode === null) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
    const size = await stat(part).then(
      ({ size }) => size,
      () => 0,
    );
    if (size > 0) firstRowsMs ??= performance.now() - began;
    await pause(WATCH_INTERVAL_MS);
  }
  return { firstRowsMs, peakMb };
}

await main();
