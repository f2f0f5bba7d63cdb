import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plain } from '../test/support/mail/mail-scene.js';
import { MailWorld } from '../test/support/mail/mail-world.js';

/**
 * Measures how many of 1,000 guessed addresses of one domain a script can verify with the publishable key
 * of a page, by sending the `Origin` of the page from one or many client addresses, with the default limits
 * of a client and with limits that are never reached.
 *
 *     npm run build && npm run ts bench/harvest.ts
 */
const GUESSES = 1_000;
const AT_ONCE = 20;
const PAGE = 'https://www.shop.example';
const DEFAULTS = {};
const WIDE = { per_address: { per_minute: 1_000, per_day: 100_000 }, per_day: 100_000 };

const ATTACKS: readonly { title: string; domain: string; clients: number; limits: object }[] = [
  { title: 'a company, one client, default limits', domain: 'corp.mailworld', clients: 1, limits: DEFAULTS },
  { title: 'a company, one client', domain: 'corp.mailworld', clients: 1, limits: WIDE },
  { title: 'a company, 250 clients', domain: 'corp.mailworld', clients: 250, limits: WIDE },
  { title: 'a mailbox provider, one client', domain: 'gmail.com', clients: 1, limits: WIDE },
  { title: 'a mailbox provider, 250 clients', domain: 'gmail.com', clients: 250, limits: WIDE },
];

async function attack(url: string, key: string, domain: string, clients: number): Promise<object> {
  const counts = { answered: 0, rate_limited: 0, 'status 429': 0 };
  let sent = 0;
  const script = async () => {
    while (sent < GUESSES) {
      const n = sent++;
      const headers = {
        Authorization: `Bearer ${key}`,
        Origin: PAGE,
        'X-Forwarded-For': `198.51.${n % clients}.1`,
      };
      const answer = await fetch(`${url}/v1/verify?email=guess${n}@${domain}`, { headers });
      const { reason } = (await answer.json()) as { reason?: string };
      if (answer.status === 429) counts['status 429'] += 1;
      else if (reason === 'rate_limited') counts.rate_limited += 1;
      else if (answer.ok) counts.answered += 1;
      else throw new Error(`unexpected status ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, script));
  return counts;
}

async function publishableKey(url: string, secret: string, limits: object): Promise<string> {
  const answer = await fetch(`${url}/v1/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'page', kind: 'publishable', allowed_origins: [PAGE], ...limits }),
  });
  return ((await answer.json()) as { key: string }).key;
}

async function launch(env: NodeJS.ProcessEnv): Promise<{ process: ChildProcess; key: string; url: string }> {
  const child = spawn(process.execPath, ['dist/main.js', '--api'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  while (!/ready on (\S+)/.test(said) || !/rcpt_live_\w+/.test(said))
    said += String((await once(child.stdout, 'data'))[0]);
  child.stdout.resume();
  const url = /ready on (\S+)/.exec(said)?.[1] ?? '';
  return { process: child, key: /rcpt_live_\w+/.exec(said)?.[0] ?? '', url: url.replace(/\/$/, '') };
}

const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
await chmod(dataDir, 0o755);
const world = await MailWorld.start({
  scenes: [
    { domain: 'corp.mailworld', story: 'a company', servers: [plain], expect: {} },
    { domain: 'gmail.com', story: 'a mailbox provider', servers: [plain], expect: {} },
  ],
});
const settings = {
  DATA_DIR: dataDir,
  PORT: '0',
  PUBLIC_URL: 'https://rcpt.example',
  LOG_LEVEL: 'silent',
  TRUST_PROXY: '1',
};
const service = await launch({ ...process.env, ...world.env, ...settings });
try {
  const rows: object[] = [];
  for (const { title, domain, clients, limits } of ATTACKS) {
    const key = await publishableKey(service.url, service.key, limits);
    const asked = () => world.server(domain).commandsOf('RCPT').length;
    const before = asked();
    const counts = await attack(service.url, key, domain, clients);
    rows.push({ title, guesses: GUESSES, ...counts, 'RCPT commands': asked() - before });
  }
  console.table(rows);
} finally {
  const closed = once(service.process, 'close');
  service.process.kill('SIGTERM');
  await closed;
  await world.stop();
  await rm(dataDir, { recursive: true, force: true });
}
