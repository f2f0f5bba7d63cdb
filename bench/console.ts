import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { TestBrowser } from '../test/support/browser/browser.js';
import { RcptProcess } from '../test/support/processes/rcpt-process.js';

/**
 * Measures how long a page of the console takes until it can be used, without a cache: until text that is typed
 * into its field arrives there. The service runs as its own process with embedded PostgreSQL. The page of a
 * list has 1,000 rows.
 *
 * Beside each time: the compressed bytes of script and of everything that was received until then, and the
 * least time that they allow, which is the bytes divided by the bandwidth and the round trips that must follow
 * one another.
 *
 * The networks are those of Lighthouse (`throttling` in `core/config/constants.js`; WebPageTest calls them
 * "Fast 3G"): 1.6 Mbit/s and 150 ms, and the latency of 562.5 ms per request with 90 % of the bandwidth, with
 * which DevTools imitates TCP and TLS on such a network.
 *
 *     npm run build && npm run ts -- bench/console.ts [--requests]
 *
 * `--requests` prints the requests of the last run of each row.
 */
const RUNS = 3;
const ROWS = 1_000;
const RTT_MS = 150;
const DOWN = (1.6 * 1024 * 1024) / 8;
const UP = (750 * 1024) / 8;
const CONDITIONS = [
  { name: 'this machine', goalMs: null },
  { name: 'processor 4 times slower', goalMs: 1_000, slowdown: 4 },
  { name: 'Fast 3G', goalMs: 2_500, network: { latency: RTT_MS, down: DOWN, up: UP } },
  {
    name: 'Fast 3G, processor 4 times slower',
    goalMs: 2_500,
    slowdown: 4,
    network: { latency: RTT_MS, down: DOWN, up: UP },
  },
  {
    name: 'Fast 3G as in DevTools',
    goalMs: 2_500,
    network: { latency: RTT_MS * 3.75, down: DOWN * 0.9, up: UP * 0.9 },
  },
] satisfies Condition[];

interface Condition {
  name: string;
  goalMs: number | null;
  slowdown?: number;
  /** Bytes per second. */
  network?: { latency: number; down: number; up: number };
}
interface Target {
  name: string;
  path: string;
  field: string;
  /** Round trips that must follow one another: the page, its scripts, and then the account or the list. */
  roundTrips: number;
}
interface Received {
  name: string;
  start: number;
  end: number;
  bytes: number;
}
interface Run {
  usable: number;
  received: Received[];
}

async function measure(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  await chmod(dataDir, 0o755);
  const service = RcptProcess.run(['main.js'], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
  const browser = await TestBrowser.start();
  try {
    const url = new URL(await service.ready()).origin;
    const key = /rcpt_test_\w+/.exec(service.stdout)?.[0] ?? '';
    const list = await aCompletedList(url, key);
    const targets: Target[] = [
      { name: 'sign-in', path: '/console', field: 'input[name=key]', roundTrips: 2 },
      { name: 'verify', path: `/console#key=${key}`, field: '#address', roundTrips: 3 },
      { name: 'list', path: `/console/lists/${list}#key=${key}`, field: 'input[type=search]', roundTrips: 3 },
    ];
    const rows = [];
    for (const target of targets)
      for (const condition of CONDITIONS) rows.push(await rowOf(browser, url, target, condition));
    console.table(rows);
  } finally {
    await browser.stop();
    await service.end();
    const cluster = join(dataDir, 'postgres');
    await rm(await realpath(cluster).catch(() => cluster), { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function rowOf(browser: TestBrowser, url: string, target: Target, condition: Condition) {
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await open(browser, url, target, condition));
  runs.sort((a, b) => a.usable - b.usable);
  const median = runs[Math.floor(RUNS / 2)]!;
  if (process.argv.includes('--requests')) printRequests(`${target.name}, ${condition.name}`, median);
  const bytes = median.received.reduce((sum, response) => sum + response.bytes, 0);
  const scripts = median.received.filter(({ name }) => name.endsWith('.js'));
  const { latency, down } = condition.network ?? { latency: 0, down: Infinity };
  return {
    page: target.name,
    condition: condition.name,
    'usable ms': Math.round(median.usable),
    'fastest–slowest': `${Math.round(runs[0]!.usable)}–${Math.round(runs.at(-1)!.usable)}`,
    'least ms': Math.round((bytes / down) * 1_000 + target.roundTrips * latency),
    'goal ms': condition.goalMs ?? '',
    'script kB': kilobytes(scripts.reduce((sum, each) => sum + each.bytes, 0)),
    'all kB': kilobytes(bytes),
  };
}

/** Opens the page with an empty cache, and types as soon as the field takes input. */
async function open(
  browser: TestBrowser,
  url: string,
  { path, field }: Target,
  condition: Condition,
): Promise<Run> {
  const page = await browser.isolatedPage(url);
  const session = await page.context().newCDPSession(page);
  await throttle(session, condition);
  await page.addInitScript(
    `addEventListener('input', () => (window.usableAt ??= performance.now()), { capture: true })`,
  );
  await page.goto(url + path, { waitUntil: 'commit' });
  await page.locator(field).pressSequentially('j');
  const usable = await page.evaluate<number>('usableAt');
  const received = await receivedBy(page, usable);
  const faults = await browser.closePages();
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return { usable, received };
}

async function throttle(session: CDPSession, { slowdown, network }: Condition): Promise<void> {
  await session.send('Network.enable');
  if (network !== undefined)
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latency,
      downloadThroughput: network.down,
      uploadThroughput: network.up,
    });
  if (slowdown !== undefined) await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}

/** What the page had received completely when it could be used. */
async function receivedBy(page: Page, usable: number): Promise<Received[]> {
  const received = await page.evaluate<Received[]>(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => ({
      name: new URL(entry.name).pathname, start: entry.startTime, end: entry.responseEnd, bytes: entry.transferSize
    }))`,
  );
  return received.filter(({ end }) => end <= usable);
}

function printRequests(title: string, { usable, received }: Run): void {
  console.log(`\n${title}: usable after ${Math.round(usable)} ms`);
  for (const { name, start, end, bytes } of received)
    console.log(`${Math.round(start)}–${Math.round(end)} ms ${kilobytes(bytes)} kB ${name}`);
}

const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1);

async function aCompletedList(url: string, key: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const emails = Array.from({ length: ROWS }, (_, row) => `jane+${row}@example.com`);
  const sent = await fetch(`${url}/v1/verify/bulk`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ emails }),
  });
  if (!sent.ok) throw new Error(await sent.text());
  const { id } = (await sent.json()) as { id: string };
  for (let status = ''; status !== 'completed';) {
    const response = await fetch(`${url}/v1/bulk-jobs/${id}`, { headers });
    ({ status } = (await response.json()) as { status: string });
  }
  return id;
}

await measure();
