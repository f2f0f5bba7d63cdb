import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { isOnMachine } from '../support/jest/machine.js';
import { hasNetworkNamespaces, NetworkNamespaces } from '../support/processes/network-namespaces.js';
import { WITH_TYPESCRIPT } from '../support/processes/with-typescript.js';

const RCPT = join(import.meta.dirname, '../../bin/rcpt.js');
const WORLD = join(import.meta.dirname, '../support/processes/namespace-world.main.ts');
const MAIL_HOSTS = Array.from({ length: 6 }, (_, n) => `10.99.25.${n + 10}`);
const ROWS = 1_500;
const EMAILS = Array.from(
  { length: ROWS },
  (_, n) => `${n % 3 === 0 ? 'ghost' : 'jane'}${n}@site${n % MAIL_HOSTS.length}.rcpt-test.net`,
);
const RIGHT = EMAILS.map((email) => (email.startsWith('jane') ? 'deliverable' : 'undeliverable'));
/** Link numbers of the namespaces. */
const SERVICE = 1;
const EGRESSES = [2, 3] as const;

interface Egress {
  child: ChildProcess;
  item: string;
}

// Needs root and iproute2.
const trial = isOnMachine('network namespaces', hasNetworkNamespaces()) ? describe : describe.skip;

trial('a service without port 25, and two egresses that have it (needs root and iproute2)', () => {
  let namespaces: NetworkNamespaces;
  let dir: string;
  let egresses: Egress[] = [];
  let run = 0;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'rcpt-namespaces-'));
    await writeFile(join(dir, 'list.csv'), `email\n${EMAILS.join('\n')}\n`);
    namespaces = NetworkNamespaces.create(`rcpt${process.pid}`, MAIL_HOSTS);
    namespaces.join('service', SERVICE, [`10.99.${EGRESSES[0]}.0/30`, `10.99.${EGRESSES[1]}.0/30`]);
    for (const n of EGRESSES) namespaces.join(`egress${n}`, n, ['10.99.25.0/24', `10.99.${SERVICE}.0/30`]);
    const world = namespaces.spawn('world', [process.execPath, ...WITH_TYPESCRIPT, WORLD, ...MAIL_HOSTS], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(world, 'message');
    egresses = await Promise.all(EGRESSES.map(anEgress));
  }, 60_000);
  afterEach(() => rm(join(dir, `${run}.csv`), { force: true }));
  afterAll(async () => {
    namespaces.remove();
    await rm(dir, { recursive: true });
  });

  const env = (n: number) => ({
    PATH: process.env.PATH,
    DNS_SERVERS: `10.99.${n}.1`,
    MX_ALLOW_CIDRS: '10.99.25.0/24',
    SMTP_HELO_NAME: 'verify.rcpt.test',
    SMTP_CONNECT_TIMEOUT_MS: '3000',
    SMTP_COMMAND_TIMEOUT_MS: '5000',
    EGRESS_WARMUP: 'off',
  });

  async function anEgress(n: number): Promise<Egress> {
    const command = [process.execPath, RCPT, 'egress', '--listen', `10.99.${n}.2:1080`];
    const child = namespaces.spawn(`egress${n}`, command, {
      env: { ...env(n), DATA_DIR: join(dir, `egress${n}`) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout! })) {
      const item = /^SMTP_EGRESS=(.*)$/.exec(line)?.[1];
      if (item !== undefined) return { child, item };
    }
    throw new Error('rcpt egress ended');
  }

  /** Verifies the list in a namespace. */
  function verify(name: string, n: number, smtpEgress: string): { output: string; ended: Promise<unknown> } {
    const output = join(dir, `${(run += 1)}.csv`);
    const command = [process.execPath, RCPT, 'bulk', join(dir, 'list.csv'), '-o', output];
    const child = namespaces.spawn(name, command, {
      env: { ...env(n), SMTP_EGRESS: smtpEgress },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr!.resume();
    return { output, ended: once(child, 'exit') };
  }

  async function statusesIn(output: string): Promise<string[]> {
    const [header = '', ...rows] = (await readFile(output, 'utf8')).trimEnd().split(/\r?\n/);
    const column = header.split(',').findIndex((name) => /status$/.test(name));
    return rows.map((row) => row.split(',')[column] ?? '');
  }

  async function untilWritten(output: string, rows: number): Promise<void> {
    while ((await statusesIn(output).catch(() => [])).length < rows) await pause(50);
  }

  const items = () => egresses.map(({ item }) => item).join(',');

  it('has no verdict of its own', async () => {
    const { output, ended } = verify('service', SERVICE, 'direct');
    await ended;
    expect(new Set(await statusesIn(output))).toEqual(new Set(['unknown']));
  }, 120_000);

  it('has the verdicts of a host with port 25', async () => {
    const direct = verify(`egress${EGRESSES[0]}`, EGRESSES[0], 'direct');
    await direct.ended;
    expect(await statusesIn(direct.output)).toEqual(RIGHT);
    const through = verify('service', SERVICE, items());
    await through.ended;
    expect(await statusesIn(through.output)).toEqual(RIGHT);
  }, 120_000);

  it('loses no row and has no wrong one when an egress is killed in the middle of a list', async () => {
    const { output, ended } = verify('service', SERVICE, items());
    await untilWritten(output, ROWS / 4);
    egresses[0]!.child.kill('SIGKILL');
    await ended;
    expect(await statusesIn(output)).toEqual(RIGHT);
    egresses[0] = await anEgress(EGRESSES[0]);
  }, 120_000);

  it('loses no row and has no wrong one when an egress is cut off in the middle of a list', async () => {
    const { output, ended } = verify('service', SERVICE, items());
    await untilWritten(output, ROWS / 4);
    namespaces.cut(EGRESSES[1]);
    await ended;
    const statuses = await statusesIn(output);
    expect(statuses).toHaveLength(ROWS);
    const wrong = statuses.filter((status, n) => status !== RIGHT[n] && status !== 'unknown');
    expect(wrong).toEqual([]);
    // What was in flight had to wait for a timeout.
    expect(statuses.filter((status) => status === 'unknown').length).toBeLessThan(ROWS / 10);
  }, 240_000);
});
