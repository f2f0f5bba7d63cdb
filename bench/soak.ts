import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MailWorld } from '../test/support/mail/mail-world.js';
import { LOAD, type Target } from './soak/load.js';

/**
 * Mixed load on the built service with a limited heap and the mail world, to detect leaks. Values are
 * measured after a garbage collection. Growth is the increase of the regression line over the last half
 * of the values, if it exceeds their variation.
 *
 *     npm run build && npm run ts bench/soak.ts [minutes]
 */
const MINUTES = Number(process.argv[2] ?? 10);
const HEAP_MB = 256;
const SAMPLES = 40;

/** Allowed growth in the last half, for caches and variation of the load. */
const ALLOWED: Readonly<Record<Measure, number>> = {
  'heap MB': 8,
  'external MB': 8,
  'rss MB': 24,
  sockets: 20,
  'other files': 5,
  timers: 20,
};
type Measure = 'heap MB' | 'external MB' | 'rss MB' | 'sockets' | 'other files' | 'timers';
type Sample = Record<Measure, number>;

interface Told {
  heapUsed: number;
  external: number;
  rss: number;
  handles: Record<string, number>;
}

const MB = 1_048_576;

async function soak(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-soak-'));
  await chmod(dataDir, 0o755);
  const world = await MailWorld.start();
  const env = {
    ...world.env,
    DATA_DIR: dataDir,
    PORT: '0',
    SELF_CHECK_EVERY: '0',
    LOG_LEVEL: 'silent',
    SMTP_CONNECT_TIMEOUT_MS: '1000',
    SMTP_COMMAND_TIMEOUT_MS: '1000',
  };
  const { child, said } = await launch(env);
  const word = (pattern: RegExp) => pattern.exec(said)?.[0] ?? '';
  const target: Target = {
    url: /ready on (\S+)/.exec(said)?.[1] ?? '',
    live: word(/rcpt_live_\w+/),
    test: word(/rcpt_test_\w+/),
    emails: world.expectations.map(({ email }) => email),
  };
  const tally = new Map<string, number>();
  const end = new AbortController();
  const load = Promise.all(
    Object.entries(LOAD).flatMap(([name, { at, act }]) =>
      Array.from({ length: at }, async (_, worker) => {
        for (let turn = worker; !end.signal.aborted; turn += at)
          for (const status of await act(target, turn)) count(tally, `${name}: ${status}`);
      }),
    ),
  );
  const samples = await Promise.race([sampleAll(child), load.then(() => [])]);
  end.abort();
  await load;
  await pause(2_000);
  const atRest = await sample(child);

  console.table(Object.fromEntries([...tally].sort()));
  console.table(samples.filter((_, n) => n % 4 === 3));
  console.log('two seconds after the load:', atRest);
  report(samples);
  await stop(child);
  await world.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function sampleAll(child: ChildProcess): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    await pause((MINUTES * 60_000) / SAMPLES);
    samples.push(await sample(child));
  }
  return samples;
}

async function sample(child: ChildProcess): Promise<Sample> {
  const telling = once(child, 'message');
  child.send('tell');
  const [{ heapUsed, external, rss, handles }] = (await telling) as [Told];
  const files = await readdir(`/proc/${child.pid}/fd`, { withFileTypes: true });
  const sockets = Object.entries(handles).filter(([kind]) => /^(TCP|UDP|TLS|Pipe)/.test(kind));
  const open = sockets.reduce((sum, [, n]) => sum + n, 0);
  return {
    'heap MB': round(heapUsed / MB),
    'external MB': round(external / MB),
    'rss MB': round(rss / MB),
    sockets: open,
    'other files': files.length - open,
    timers: (handles.Timeout ?? 0) + (handles.Immediate ?? 0),
  };
}

/** @returns the increase of the least-squares line from the first to the last value. */
function riseOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const above = values.reduce((sum, value, n) => sum + (n - middle) * (value - mean), 0);
  const below = values.reduce((sum, _, n) => sum + (n - middle) ** 2, 0);
  return (above / below) * (values.length - 1);
}

function report(samples: readonly Sample[]): void {
  const half = samples.slice(samples.length / 2);
  const rows = (Object.keys(ALLOWED) as Measure[]).map((measure) => {
    const values = half.map((sample) => sample[measure]);
    const rise = riseOf(values);
    const grows = rise > ALLOWED[measure];
    if (grows) process.exitCode = 1;
    const range = `${Math.min(...values)}–${Math.max(...values)}`;
    return [
      measure,
      { range, rise: round(rise), allowed: ALLOWED[measure], verdict: grows ? 'GROWS' : 'steady' },
    ];
  });
  console.log('the last half:');
  console.table(Object.fromEntries(rows));
}

async function launch(env: Record<string, string>): Promise<{ child: ChildProcess; said: string }> {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--import', './bench/soak/probe.mjs'];
  const child = spawn(process.execPath, [...flags, 'dist/main.js'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('nothing is heard of the service');
  let said = '';
  while (!/ready on \S+/.test(said)) said += String((await once(stdout, 'data'))[0]);
  stdout.resume();
  return { child, said };
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

function count(tally: Map<string, number>, name: string): void {
  tally.set(name, (tally.get(name) ?? 0) + 1);
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}

await soak();
