import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import ts from 'typescript';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { workOn } from '../../support/app/bulk.js';
import { anEmptyDatabase } from '../../support/database/fresh-database.js';
import { aProof, aPublishableKey } from '../../support/app/publishable.js';
import { Recipe } from '../../support/clients/recipe.js';
import { isOnMachine } from '../../support/jest/machine.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';
import type { Received } from '../../support/webhooks/webhook-receiver.js';

const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const NOBODY = 'http://127.0.0.1:9';

let world: WebhookApp;
let account: NewAccount;
beforeAll(async () => {
  world = await WebhookApp.start();
  account = await world.app.anAccount();
});
afterAll(() => world.stop());

/** What a form sends with a proof of its address. */
async function aForm(email: string) {
  const { key } = await aPublishableKey(world.app, account.liveKey, { mode: 'test' });
  return { email, rcpt_proof: await aProof(world.app, key, email) };
}
const access = (url = world.app.url) => ({ RCPT_URL: url, RCPT_API_KEY: account.testKey });

describe('the Next.js route handler', () => {
  interface Route {
    POST(request: Request): Promise<Response>;
  }
  let route: Route;
  beforeAll(async () => {
    const source = (await Recipe.read('nextjs')).files.get('app/api/join/route.ts') ?? '';
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    route = (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as Route;
  });
  afterAll(() => {
    for (const name of Object.keys(access())) delete process.env[name];
  });

  async function join(email: string, url?: string, more = {}): Promise<[number, unknown]> {
    Object.assign(process.env, access(url));
    const body = new URLSearchParams({ ...more, email });
    const response = await route.POST(new Request('http://site.example/api/join', { method: 'POST', body }));
    return [response.status, await response.json()];
  }

  it('refuses only addresses that cannot receive mail', async () => {
    expect(await join('')).toEqual([422, { error: 'Enter an email address.' }]);
    expect(await join('mailbox_not_found@example.com')).toEqual([
      422,
      { error: 'This address cannot receive email.', did_you_mean: null },
    ]);
    for (const [name, needs_confirmation] of [
      ['jane', false],
      ['catch_all', true],
      ['greylisted', true],
    ] as const) {
      const email = `${name}@example.com`;
      expect(await join(email)).toEqual([201, { email, needs_confirmation }]);
    }
  });

  it('takes the verdict of a proof, also again, and verifies if it is for another address', async () => {
    const form = await aForm('catch_all@example.com');
    const requests = jest.spyOn(globalThis, 'fetch');
    for (const times of [1, 2]) {
      expect(await join(form.email, undefined, form)).toMatchObject([201, { needs_confirmation: true }]);
      expect(requests).toHaveBeenCalledTimes(times);
    }
    const { rcpt_proof } = form;
    const other = await join('jane@example.com', undefined, { rcpt_proof });
    expect(other).toMatchObject([201, { needs_confirmation: false }]);
    expect(requests).toHaveBeenCalledTimes(4);
    requests.mockRestore();
  });

  it('accepts an address without a verdict, and logs the code and no address', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const email = 'rate_limited@example.com';
    expect(await join(email)).toEqual([201, { email, needs_confirmation: true }]);
    expect(await join('mailbox_not_found@example.com', NOBODY)).toMatchObject([201, {}]);
    expect(log.mock.calls).toEqual([
      ['verification failed', 429, 'rate_limited'],
      ['verification failed', 'TypeError'],
    ]);
    log.mockRestore();
  });
});

(isOnMachine('Django', has('python3', '-c', 'import django')) ? describe : describe.skip)(
  'the Django form',
  () => {
    const FILES = ['settings.py', 'accounts/verification.py', 'accounts/forms.py', 'accounts/views.py'];
    const PROGRAM = `
import sys, django
from django.test import RequestFactory
django.setup()
from accounts.views import join
for email, *proof in (form.split() for form in sys.argv[1:]):
    response = join(RequestFactory().post("/join", {"email": email, "rcpt_proof": "".join(proof)}))
    print(response.status_code, response.content.decode())
`;

    it('refuses only addresses that cannot receive mail, and logs no address', async () => {
      const recipe = await Recipe.read('django');
      await recipe.inFolder(FILES, async (cwd) => {
        const join = async (url: string, ...emails: string[]) => {
          const env = { ...process.env, ...access(url), DJANGO_SETTINGS_MODULE: 'settings' };
          return run('python3', ['-c', PROGRAM, ...emails], { cwd, env });
        };
        const names = ['mailbox_not_found', 'jane', 'greylisted', 'rate_limited'];
        const { stdout, stderr } = await join(
          world.app.url,
          'none',
          ...names.map((name) => `${name}@example.com`),
        );
        expect(stdout.trim().split('\n')).toEqual([
          '422 {"errors": {"email": ["Enter a valid email address."]}}',
          '422 {"errors": {"email": ["This address cannot receive email."]}}',
          '201 {"email": "jane@example.com"}',
          '201 {"email": "greylisted@example.com"}',
          '201 {"email": "rate_limited@example.com"}',
        ]);
        expect(stderr).toContain('429');
        expect(stderr).not.toContain('@');
        expect((await join(NOBODY, 'mailbox_not_found@example.com')).stdout).toMatch(/^201 /);
        const { email, rcpt_proof } = await aForm('mailbox_not_found@example.com');
        const routes = () => world.app.logged().match(/\/v1\/(?:verify|proofs\/confirm)/g) ?? [];
        const before = routes().length;
        const confirmed = await join(
          world.app.url,
          `${email} ${rcpt_proof}`,
          `jane@example.com ${rcpt_proof}`,
        );
        expect(confirmed.stdout).toMatch(/^422 .*\n201 /);
        expect(routes().slice(before)).toEqual(['/v1/proofs/confirm', '/v1/proofs/confirm', '/v1/verify']);
      });
    });
  },
);

describe('the code for n8n and Zapier', () => {
  type Step = (received: Received, secret: string) => Promise<unknown>;
  type Code = (...args: unknown[]) => Promise<unknown>;
  const { constructor: AsyncFunction } = (async () => undefined) as unknown as {
    constructor: new (...args: string[]) => Code;
  };
  const require = createRequire(import.meta.url);

  const STEPS: Record<string, (recipe: Recipe) => Step> = {
    n8n: (recipe) => {
      const code = new AsyncFunction('require', '$input', '$env', recipe.block('js'));
      return ({ headers, body }, secret) => {
        const helpers = { getBinaryDataBuffer: () => Promise.resolve(Buffer.from(body)) };
        const input = { first: () => ({ json: { headers } }) };
        return code.call({ helpers }, require, input, { RCPT_WEBHOOK_SECRET: secret });
      };
    },
    Zapier: (recipe) => {
      const code = new AsyncFunction('require', 'inputData', recipe.block('javascript'));
      return ({ headers, body }, secret) => {
        const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map(
          (name) => headers[`webhook-${name}`],
        );
        return code(require, { body, id, timestamp, signature, secret });
      };
    },
  };

  it.each(Object.keys(STEPS))('for %s returns our events, and stops at all others', async (name) => {
    const step = STEPS[name]!(await Recipe.read('n8n-zapier'));
    const receiver = await world.aReceiver();
    const webhook = await world.aWebhook(account.liveKey, receiver.url, { events: ['webhook.test'] });
    await world.aTest(webhook, account);
    await world.send();
    const came = receiver.received[0]!;
    const id = came.headers['webhook-id'];
    const event = { id, type: 'webhook.test', data: { webhook_id: webhook.id } };
    expect([await step(came, webhook.secret)].flat()).toMatchObject([
      name === 'n8n' ? { json: event } : event,
    ]);
    // Signatures of both secrets, during a rotation.
    const two = { ...came.headers, 'webhook-signature': `v1,AAAA ${came.headers['webhook-signature']}` };
    expect(await step({ ...came, headers: two }, webhook.secret)).toBeTruthy();
    const changed = (headers: Record<string, string>, body = came.body) =>
      step({ ...came, headers: { ...came.headers, ...headers }, body }, webhook.secret);
    await expect(changed({}, `${came.body} `)).rejects.toThrow('signature not valid');
    await expect(changed({ 'webhook-id': 'evt_1' })).rejects.toThrow('signature not valid');
    await expect(changed({ 'webhook-signature': 'v1,' })).rejects.toThrow('signature not valid');
    await expect(changed({ 'webhook-timestamp': '1' })).rejects.toThrow('timestamp not valid');
    await expect(changed({ 'webhook-timestamp': 'x' })).rejects.toThrow('timestamp not valid');
  });
});

const hasPsql = isOnMachine('psql', has('psql', '--version'));
(isOnMachine('flock', has('flock', '--version')) && hasPsql ? describe : describe.skip)(
  'the nightly script',
  () => {
    let database: Awaited<ReturnType<typeof anEmptyDatabase>>;
    let client: Client;
    beforeAll(async () => {
      database = await anEmptyDatabase();
      client = new Client(database.url);
      await client.connect();
      await client.query('CREATE TABLE subscribers (id int, email text, active boolean DEFAULT true)');
    });
    afterAll(async () => {
      await client.end();
      await database.drop();
    });

    const SCRIPT = '/usr/local/bin/clean-list';

    /** Runs the script while the service works on lists. */
    async function clean(folder: string): Promise<{ stdout: string; stderr: string }> {
      const env = {
        ...access(),
        PATH: `${folder}:${process.env.PATH}`,
        DATABASE: database.url,
        FOLDER: join(folder, 'work'),
      };
      let isRunning = true;
      const script = run(join(folder, SCRIPT), { env }).finally(() => (isRunning = false));
      while (isRunning) await Promise.race([script.catch(() => undefined), workOn(world.app)]);
      return script;
    }

    it('deactivates the undeliverable addresses and prints how many, unless there are too many of them', async () => {
      const recipe = await Recipe.read('nightly-cleaning');
      await recipe.inFolder([SCRIPT], async (folder) => {
        // Somebody changes an address while the list is verified.
        const change = `UPDATE subscribers SET email = 'new@example.com' WHERE email LIKE '%@old.example'`;
        const command = `"${join(root, 'bin/rcpt.js')}" "$@" && psql -Xq "$DATABASE" -c "${change}"`;
        await writeFile(join(folder, 'rcpt'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
        // What a spreadsheet would run, and what a CSV must quote.
        const odd = ['=1+mailbox_not_found@example.com', '"a,b" @example.com'];
        const emails = Array.from({ length: 58 }, (_, id) => `person${id}@example.com`);
        const all = [...emails, ...odd, 'mailbox_not_found@old.example', null];
        await client.query(
          'INSERT INTO subscribers SELECT n, e FROM unnest($1::text[]) WITH ORDINALITY x(e, n)',
          [all],
        );
        expect(await clean(folder)).toEqual({
          stdout: '2 of 61 subscribers were deactivated\n',
          stderr: expect.any(String),
        });
        const inactive = 'SELECT email FROM subscribers WHERE NOT active ORDER BY id';
        expect((await client.query(inactive)).rows).toEqual(odd.map((email) => ({ email })));
        await client.query(
          "UPDATE subscribers SET email = 'mailbox_not_found@' || id || '.example' WHERE id <= 3",
        );
        await expect(clean(folder)).rejects.toMatchObject({
          code: 1,
          stderr: expect.stringContaining('3 of 59 addresses are undeliverable; nothing was changed'),
        });
        expect((await client.query(inactive)).rowCount).toBe(2);
      });
    });
  },
);
