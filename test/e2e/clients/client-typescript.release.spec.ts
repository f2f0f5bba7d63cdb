import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { Rcpt, type BulkJob, type BulkResult } from '../../../clients/typescript/src/index.js';
import type { ListSource } from '../../../clients/typescript/src/index.js';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { hasBrowser, TestBrowser } from '../../support/browser/browser.js';
import { workOn } from '../../support/app/bulk.js';
import { ClientRun, installPacked } from '../../support/clients/client-runs.js';
import { freePort } from '../../support/processes/free-port.js';
import { aPublishableKey } from '../../support/app/publishable.js';
import { readmePrograms } from '../../support/clients/readme-programs.js';
import { asJavaScript, projectErrors } from '../../support/clients/typed-client.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';
import { abortRequest } from '../../support/webhooks/aborted-request.js';

const root = join(import.meta.dirname, '../../..');

let world: WebhookApp;
let account: NewAccount;
/** The project of a user who has installed the package. */
let project: string;
let programs: Map<string, string>;
let rcpt: Rcpt;

beforeAll(async () => {
  world = await WebhookApp.start();
  account = await world.app.anAccount();
  rcpt = new Rcpt({ baseUrl: world.app.url, apiKey: account.testKey });
  programs = await readmePrograms('clients/typescript/README.md', 'ts');
  project = await mkdtemp(join(tmpdir(), 'rcpt-client-'));
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
  await installPacked('clients/typescript', project);
}, 60_000);
afterAll(async () => {
  await rm(project, { recursive: true });
  await world.stop();
});

/** Starts a program of the README. */
async function start(heading: string, env: Record<string, string> = {}): Promise<ClientRun> {
  const file = join(project, 'program.mjs');
  await writeFile(file, asJavaScript(programs.get(heading) ?? 'throw new Error("not in the README")'));
  const own = { RCPT_URL: world.app.url, RCPT_API_KEY: account.testKey, ...env };
  return new ClientRun([process.execPath, file], { cwd: project, env: { ...process.env, ...own } });
}

describe('the package', () => {
  it('has no dependency, and imports only its own files', async () => {
    expect(await readdir(join(project, 'node_modules'))).toEqual(['.package-lock.json', '@rcpt']);
    const folder = join(project, 'node_modules/@rcpt/client');
    expect((await readdir(folder)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const scripts = (await readdir(join(folder, 'dist'))).filter((name) => name.endsWith('.js'));
    const texts = await Promise.all(scripts.map((name) => readFile(join(folder, 'dist', name), 'utf8')));
    const imports = texts.flatMap((text) => [...text.matchAll(/(?:from|import\()\s*['"](.*?)['"]/g)]);
    expect(imports.length).toBeGreaterThan(5);
    expect(imports.map(([, path = '']) => path).filter((path) => !path.startsWith('./'))).toEqual([]);
  });

  it('has types that are valid in a Node project, with which the programs of the README compile', async () => {
    await Promise.all([...programs.values()].map((code, at) => writeFile(join(project, `${at}.mts`), code)));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      lib: ['es2022'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['?.mts'] }));
    expect(projectErrors(project)).toEqual([]);
  }, 60_000);
});

(hasBrowser ? describe : describe.skip)('in a web page', () => {
  it('verifies with a publishable key', async () => {
    const site = createServer((request, response) => {
      const name = basename(request.url ?? '');
      const isScript = name.endsWith('.js');
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      if (isScript) createReadStream(join(project, 'node_modules/@rcpt/client/dist', name)).pipe(response);
      else response.end('<title>A form</title>');
    }).listen(0, '127.0.0.1');
    const [browser] = await Promise.all([TestBrowser.start(), once(site, 'listening')]);
    try {
      const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
      const rules = { mode: 'test', allowed_origins: [origin] };
      const { key } = await aPublishableKey(world.app, account.liveKey, rules);
      const page = await browser.page([origin, world.app.url]);
      await page.goto(origin);
      const verdict = await page.evaluate<unknown, [string, string]>(
        async ([baseUrl, apiKey]) => {
          const path = '/index.js';
          const client = (await import(path)) as { Rcpt: typeof Rcpt };
          return new client.Rcpt({ baseUrl, apiKey }).verify('mailbox_not_found@example.com');
        },
        [world.app.url, key],
      );
      expect(verdict).toMatchObject({ status: 'undeliverable', reason: 'mailbox_not_found' });
      expect(browser.faults).toEqual([]);
    } finally {
      await browser.stop();
      site.close();
    }
  });
});

describe('the program of the README', () => {
  it('verifies addresses', async () => {
    expect(await (await start('Verify addresses')).lines()).toEqual([
      'undeliverable mailbox_not_found null',
      'jane@example.com deliverable accepted_email',
      'joe+catch_all@example.com risky catch_all',
      'not an address undeliverable invalid_syntax',
    ]);
  });

  it('verifies a list', async () => {
    await writeFile(join(project, 'list.csv'), 'id,email\n7,jane@example.com\n8,catch_all@example.com\n');
    const lines = await (await start('Verify a list')).lines(world.app);
    expect(lines.slice(-3)).toEqual(['2 of 2', 'completed', "0 jane@example.com { id: '7' }"]);
  });

  it('shows errors, and uses other routes', async () => {
    expect(await (await start('Errors')).lines()).toEqual(['again in 60 s']);
    const confirmed = await (await start('Confirm the proof of a form')).lines();
    expect(confirmed).toEqual(['no valid proof: malformed', 'accept']);
    expect(await (await start('All other routes')).lines()).toEqual([expect.stringMatching(/^null \d$/)]);
  });

  it('keeps a list clean', async () => {
    const run = await start('Keep a list clean', { RCPT_API_KEY: account.liveKey });
    expect(await run.lines()).toEqual([
      'queued 0 {}',
      expect.stringMatching(/^Newsletter \d{4}-\d\d-\d\dT04:00:00.000Z$/),
    ]);
  });

  it('reports what became of mails', async () => {
    const run = await start('Report what became of mails', { RCPT_API_KEY: account.liveKey });
    const all = /^2 \[ 'invalid_email' \]; bounced; groups: \d+; bounced 550; \S+rcpt_src_\S+; postmark$/;
    expect((await run.lines()).join('; ')).toMatch(all);
  });

  it('receives webhooks that this service sends, refuses others, and survives a sender that aborts', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks`;
    const webhook = await world.aWebhook(account.liveKey, url, { events: ['webhook.test'] });
    const env = { PORT: String(port), RCPT_WEBHOOK_SECRET: `whsec_b2xk,${webhook.secret}` };
    const run = await start('Webhooks', env);
    try {
      await run.said('listening');
      await abortRequest(url);
      await world.aTest(webhook, account);
      await world.send();
      await run.said(webhook.id);
      expect(await world.deliveries(webhook, account)).toMatchObject([{ status: 'succeeded' }]);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    } finally {
      await run.kill();
    }
  });
});

describe('verifyMany', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@example.com`);

  it.each([1, 7, 100])(
    'yields the verdicts in the given order with a concurrency of %d',
    async (concurrency) => {
      const emails = [...(concurrency === 100 ? ['slow@example.com'] : []), ...numbers(30)];
      const found: string[] = [];
      for await (const { email } of rcpt.verifyMany(emails, { concurrency })) found.push(email);
      expect(found).toEqual(emails);
    },
  );

  it('yields the verdicts that it has before it throws an error', async () => {
    const emails = [...numbers(25), 'upgrade_required@example.com'];
    const found: string[] = [];
    const reading = (async () => {
      for await (const { email } of rcpt.verifyMany(emails, { concurrency: 50 })) found.push(email);
    })();
    await expect(reading).rejects.toMatchObject({ status: 402, code: 'upgrade_required' });
    expect(found).toHaveLength(25);
  });

  it('reads no more addresses than it needs, and closes their source', async () => {
    let read = 0;
    let isClosed = false;
    function* endless() {
      try {
        for (;;) yield `a${read++}@example.com`;
      } finally {
        isClosed = true;
      }
    }
    for await (const { status } of rcpt.verifyMany(endless())) {
      expect(status).toBe('deliverable');
      break;
    }
    expect([read <= 51, isClosed]).toEqual([true, true]);
  });
});

describe('bulk', () => {
  const rowsOf = async (job: BulkJob, q?: string) => {
    const rows: BulkResult[] = [];
    for await (const row of rcpt.bulk.results(job, { q })) rows.push(row);
    return rows.map(({ email, ref, status }) => [email, ref, status]);
  };
  const csv = 'email,id\na@example.com,7\n';
  const entries = ['b@example.com', { email: 'a@example.com', ref: '7' }];
  const [b, rowsOfCsv] = [['b@example.com', null, null], [['a@example.com', { id: '7' }, null]]];
  const lists: [string, () => ListSource, unknown[]][] = [
    ['an array', () => entries, [b, ['a@example.com', '7', null]]],
    ['a generator', () => entries.values(), [b, ['a@example.com', '7', null]]],
    ['a stream of addresses', () => Readable.from(entries), [b, ['a@example.com', '7', null]]],
    ['a Blob', () => new Blob([csv]), rowsOfCsv],
    ['a File', () => new File(['"b@example.com"\n'], 'x.ndjson') as Blob, [b]],
    ['a web stream', () => new Blob([csv]).stream(), rowsOfCsv],
    ['a function that opens a stream', () => () => Readable.from([Buffer.from(csv)]), rowsOfCsv],
  ];

  it.each(lists)('submits %s', async (_, list, rows) => {
    const job = await rcpt.bulk.submit(list(), { name: 'Spring + summer' });
    expect(job).toMatchObject({ name: 'Spring + summer', total: rows.length });
    expect(await rowsOf(job)).toEqual(rows);
  });

  it('submits a CSV with a description of its columns and its encoding', async () => {
    const csv = new Blob(['x,Work Email\n1,', Buffer.from('cfe5', 'hex'), '@example.com\n']);
    const options = { emailColumn: 2, header: true, encoding: 'windows-1251', unique: 'canonical' } as const;
    const job = await rcpt.bulk.submit(csv, options);
    expect(job.unique_by).toBe('canonical');
    expect(await rowsOf(job, 'Пе@')).toEqual([['Пе@example.com', { x: '1' }, null]]);
    expect(await rowsOf(job, 'jane+')).toEqual([]);
  });

  it('stops sending a list without end when the service refuses it', async () => {
    let close: () => void;
    const closed = new Promise<void>((resolve) => (close = resolve));
    function* endless() {
      try {
        for (let n = 0; ; n++) yield `a${n}@example.com`;
      } finally {
        close();
      }
    }
    const { testKey: apiKey } = await world.app.anAccount('starter');
    const client = new Rcpt({ baseUrl: world.app.url, apiKey });
    await expect(client.bulk.submit(endless())).rejects.toMatchObject({ problem: { limit: 10_000 } });
    await closed;
  });

  it('refuses the text of a file whose encoding was set, and a list that is a string', async () => {
    const text = createReadStream(join(root, 'package.json'), 'utf8');
    await expect(rcpt.bulk.submit(text)).rejects.toThrow('Pass the file as bytes');
    await expect(rcpt.bulk.submit('a@example.com' as never)).rejects.toThrow('not a string');
  });

  it('waits for the end of a job with its progress, and reads several pages', async () => {
    const emails = Array.from({ length: 1_234 }, (_, n) => `a${n}@example.com`);
    const job = await rcpt.bulk.submit(emails);
    const waiting = rcpt.bulk.wait(job, { timeoutMs: 1 });
    await expect(waiting).rejects.toMatchObject({ name: 'JobTimeoutError', job: { id: job.id } });
    await workOn(world.app);
    const states: string[] = [];
    const ended = await rcpt.bulk.wait(job.id, { progress: ({ status }) => states.push(status) });
    expect([ended.processed, states]).toEqual([1_234, ['completed']]);
    expect((await rowsOf(job)).map(([email]) => email)).toEqual(emails);
    await rcpt.bulk.delete(job);
    await expect(rcpt.bulk.get(job)).rejects.toMatchObject({ name: 'NotFoundError', code: 'not_found' });
  });

  it('cancels a job', async () => {
    const job = await rcpt.bulk.submit(['a@example.com']);
    expect(await rcpt.bulk.cancel(job)).toMatchObject({ id: job.id, status: 'canceled' });
  });
});

describe('the service', () => {
  it.each<[email: string, name: string, members: object, apiKey?: string]>([
    ['rate_limited@example.com', 'RateLimitError', { code: 'rate_limited', retryAfter: 1 }],
    ['upgrade_required@example.com', 'UpgradeRequiredError', { feature: 'verify' }],
    ['', 'InvalidRequestError', { errors: [{ pointer: '/email' }] }],
    ['a@example.com', 'AuthenticationError', {}, 'rcpt_live_x'],
  ])('answers "%s" with a %s', async (email, name, members, apiKey = account.testKey) => {
    const client = new Rcpt({ baseUrl: world.app.url, apiKey, maxRetries: 0 });
    await expect(client.verify(email)).rejects.toMatchObject({ name, ...members });
  });
});
