import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MailWorld } from '../test/support/mail/mail-world.js';

/**
 * Measures the duration of one team's uncached verdicts while other teams query names without a
 * response: first without other teams, then with one team that has 200 calls in flight for 3,000 names,
 * then with 25 teams of the free tier with 8 calls each. An uncached verdict resolves the MX records of
 * a new domain and the addresses of a new host, 20 ms each, and contacts a mail server.
 *
 *     npm run build && npm run ts bench/dns-fairness.ts [another build's dist …]
 */
const FRESH = 60;
const FRESH_AT_ONCE = 10;
const DNS_MS = 20;
const ATTACKS: readonly { title: string; teams: number; inFlight: number; names: number }[] = [
  { title: 'quiet', teams: 0, inFlight: 0, names: 0 },
  { title: 'one team, 200 silent calls', teams: 1, inFlight: 200, names: 3_000 },
  { title: '25 free teams, 8 silent calls each', teams: 25, inFlight: 8, names: 40 },
];

let made = 0;

async function measure(dist: string): Promise<object[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
  await chmod(dataDir, 0o755);
  const world = await MailWorld.start();
  const own = { DATA_DIR: dataDir, PORT: '0', PUBLIC_URL: 'https://rcpt.example', LOG_LEVEL: 'silent' };
  const signup = { SIGNUP: 'open', SIGNUP_PER_HOUR: '1000' };
  const env = { ...process.env, ...world.env, ...own, ...signup };
  const service = await launch(join(dist, 'main.js'), env);
  try {
    const victim = await created(join(dist, '../bin/rcpt.js'), env);
    const free = await Promise.all(Array.from({ length: 25 }, () => signedUp(service.url)));
    const rows: object[] = [];
    let quietMs = 0;
    for (const { title, teams, inFlight, names } of ATTACKS) {
      const stop = new AbortController();
      const keys = teams === 1 ? [service.key] : free.slice(0, teams);
      const attacks = keys.map((key) =>
        atOnce(inFlight, names, async () => {
          if (stop.signal.aborted) return;
          const domain = `silent-${++made}.mailworld`;
          world.dns.set(domain, { behaviour: 'silent' });
          await verdict(service.url, key, domain);
        }),
      );
      await pause(2_000);
      const took = await fresh(world, service.url, victim);
      stop.abort();
      await Promise.all(attacks);
      const times = took.map(({ ms }) => ms).sort((a, b) => a - b);
      const medianMs = times[times.length >> 1] ?? 0;
      quietMs ||= medianMs;
      rows.push({
        build: dist,
        others: title,
        'median ms': Math.round(medianMs),
        'p95 ms': Math.round(times[Math.floor(times.length * 0.95)] ?? 0),
        'of quiet': (medianMs / quietMs).toFixed(2),
        verdicts: took.length,
        timeout: took.filter(({ reason }) => reason === 'timeout').length,
        deliverable: took.filter(({ reason }) => reason === 'accepted_email').length,
      });
    }
    return rows;
  } finally {
    await ended(service.process);
    await world.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Durations of one team's verdicts for new domains. */
async function fresh(world: MailWorld, url: string, key: string): Promise<{ ms: number; reason: string }[]> {
  const found = world.dns.zone('mx1.plain.mailworld');
  const took: { ms: number; reason: string }[] = [];
  await atOnce(FRESH_AT_ONCE, FRESH, async () => {
    const domain = `fresh-${++made}.mailworld`;
    const host = `mx.${domain}`;
    world.dns.set(domain, { mx: [[10, host]], behaviour: 'slow', delayMs: DNS_MS });
    world.dns.set(host, { ...found, behaviour: 'slow', delayMs: DNS_MS });
    const begun = performance.now();
    const reason = await verdict(url, key, domain);
    took.push({ ms: performance.now() - begun, reason });
  });
  return took;
}

/** Runs a function a number of times with a limited concurrency. */
async function atOnce(concurrency: number, times: number, work: () => Promise<void>): Promise<void> {
  let left = times;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function verdict(url: string, key: string, domain: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/v1/verify?email=jane@${domain}`, { headers });
  if (answer.status === 429) await pause(500);
  const body = (await answer.json()) as { reason?: string; code?: string };
  return body.reason ?? body.code ?? '';
}

async function signedUp(url: string): Promise<string> {
  const answer = await fetch(`${url}/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `owner${++made}@team.example`, team_name: 'A team' }),
  });
  const body = (await answer.json()) as { key: { key: string } };
  return body.key.key;
}

async function created(cli: string, env: NodeJS.ProcessEnv): Promise<string> {
  const args = [cli, 'account', 'create', '--email', 'victim@team.example'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return keyIn(stdout);
}

async function launch(main: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [main, '--api'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  while (!/ready on (\S+)/.test(said)) said += String((await once(child.stdout, 'data'))[0]);
  await pause(500);
  child.stdout.resume();
  const url = /ready on (\S+)/.exec(said)?.[1] ?? '';
  return { process: child, key: keyIn(said), url: url.replace(/\/$/, '') };
}

function keyIn(text: string): string {
  return /rcpt_live_\w+/.exec(text)?.[0] ?? '';
}

async function ended(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGTERM');
  await closed;
}

const builds = [...process.argv.slice(2), 'dist'].map((dist) => resolve(dist));
const rows: object[] = [];
for (const dist of builds) rows.push(...(await measure(dist)));
console.table(rows);
