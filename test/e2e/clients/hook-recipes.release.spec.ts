import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { Recipe } from '../../support/clients/recipe.js';

const NOBODY = 'http://127.0.0.1:2';
const REJECTED = ['mailbox_not_found@example.com', 'disposable@example.com', 'no address'];
const ACCEPTED = ['jane@example.com', 'catch_all@example.com', 'greylisted@example.com'];

let app: TestApp;
let account: NewAccount;
/** Accepts requests and never responds. */
let silent: Server;
let silentUrl: string;
beforeAll(async () => {
  app = await anApp();
  account = await app.anAccount();
  silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await app.stop();
});

const access = (url = app.url) => ({ RCPT_URL: url, RCPT_API_KEY: account.testKey });

/** What the action writes with console.error. */
async function logOf(act: () => Promise<unknown>): Promise<unknown[][]> {
  const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  try {
    await act();
    return [...log.mock.calls];
  } finally {
    log.mockRestore();
  }
}

describe('the hook for Supabase', () => {
  type Handler = (request: Request) => Promise<Response>;
  const KEY = Buffer.from('a secret of the hook, of 32 bytes');
  const DENIAL = { error: { http_code: 422, message: 'Please use another email address.' } };
  let handle: Handler;
  let env: Record<string, string>;
  beforeAll(async () => {
    const source = (await Recipe.read('supabase')).files.get(
      'supabase/functions/before-user-created/index.ts',
    );
    const { outputText } = ts.transpileModule(source ?? '', {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const Deno = {
      env: { get: (name: string) => env[name] },
      serve: (handler: Handler) => (handle = handler),
    };
    Object.assign(globalThis, { Deno });
    await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
  });
  afterAll(() => void Reflect.deleteProperty(globalThis, 'Deno'));

  const now = () => String(Math.floor(Date.now() / 1_000));
  const sign = (time: string, body: string, key = KEY) =>
    `v1,${createHmac('sha256', key).update(`msg-1.${time}.${body}`).digest('base64')}`;
  async function call(
    user: object,
    { url = app.url, time = now(), signature = (body: string) => sign(time, body) } = {},
  ): Promise<[number, unknown]> {
    env = { ...access(url), HOOK_SECRET: `v1,whsec_${KEY.toString('base64')}` };
    const body = JSON.stringify({ metadata: { uuid: '1', name: 'before-user-created' }, user });
    const headers = {
      'webhook-id': 'msg-1',
      'webhook-timestamp': time,
      'webhook-signature': signature(body),
    };
    const request = new Request('http://hook.example', { method: 'POST', body, headers });
    const response = await handle(request);
    return [response.status, response.status === 200 ? await response.json() : await response.text()];
  }

  it('rejects undeliverable and disposable addresses only', async () => {
    for (const email of REJECTED) expect(await call({ email })).toEqual([200, DENIAL]);
    for (const email of ACCEPTED) expect(await call({ email })).toEqual([200, {}]);
    expect(await call({ email: '', phone: '+4930123' })).toEqual([200, {}]);
  });

  it('accepts every address without a verdict, and logs the code and no address', async () => {
    const email = 'mailbox_not_found@example.com';
    const log = await logOf(async () => {
      expect(await call({ email: 'rate_limited@example.com' })).toEqual([200, {}]);
      expect(await call({ email }, { url: NOBODY })).toEqual([200, {}]);
    });
    expect(log).toEqual([
      ['verification failed', 429, 'rate_limited'],
      ['verification failed', 'TypeError'],
    ]);
  });

  it('takes requests with a valid signature only', async () => {
    const user = { email: 'jane@example.com' };
    const refused = [401, ''];
    expect(await call(user, { signature: () => '' })).toEqual(refused);
    expect(await call(user, { signature: () => sign(now(), '{}') })).toEqual(refused);
    expect(await call(user, { signature: (body) => sign(now(), body, Buffer.alloc(32)) })).toEqual(refused);
    expect(await call(user, { time: '1' })).toEqual(refused);
    expect(await call(user, { time: 'x' })).toEqual(refused);
    // Supabase separates signatures with a comma and a space.
    const two = (body: string) => `${sign(now(), body, Buffer.alloc(32))}, ${sign(now(), body)}`;
    expect(await call(user, { signature: two })).toEqual([200, {}]);
  });
});

describe('the Action for Auth0', () => {
  interface Action {
    onExecutePreUserRegistration(event: object, api: object): Promise<unknown>;
  }
  let action: Action;
  beforeAll(async () => {
    const source = (await Recipe.read('auth0')).files.get('reject-undeliverable.js') ?? '';
    const exports = {};
    runInNewContext(source, { exports, console, fetch, AbortSignal });
    action = exports as Action;
  });

  async function denials(user: object, url?: string): Promise<unknown[]> {
    const deny = jest.fn();
    await action.onExecutePreUserRegistration({ user, secrets: access(url) }, { access: { deny } });
    return deny.mock.calls;
  }

  it('denies undeliverable and disposable addresses only', async () => {
    const message = 'Please use another email address.';
    const reasons = ['mailbox_not_found', 'disposable', 'invalid_syntax'];
    for (const [n, email] of REJECTED.entries())
      expect(await denials({ email })).toEqual([[reasons[n], message]]);
    for (const email of ACCEPTED) expect(await denials({ email })).toEqual([]);
    expect(await denials({ phone_number: '+4930123' })).toEqual([]);
  });

  it('accepts every address without a verdict, and logs the code and no address', async () => {
    const log = await logOf(async () => {
      expect(await denials({ email: 'rate_limited@example.com' })).toEqual([]);
      expect(await denials({ email: 'mailbox_not_found@example.com' }, NOBODY)).toEqual([]);
    });
    expect(log).toEqual([
      ['verification failed', 429, 'rate_limited'],
      ['verification failed', 'TypeError'],
    ]);
  });
});

describe('the policy service for Postfix', () => {
  const SCRIPT = '/usr/local/lib/rcpt-policy.mjs';

  /** Runs the script while the action exchanges text with it. */
  async function withPolicy(
    env: Record<string, string>,
    act: (exchange: (input: string, actions: number) => Promise<string[]>) => Promise<void>,
  ): Promise<string> {
    return (await Recipe.read('postfix-policy')).inFolder([SCRIPT], async (folder) => {
      const child: ChildProcess = spawn(process.execPath, [join(folder, SCRIPT)], {
        env: { RCPT_API_KEY: account.liveKey, POLICY_PORT: '0', ...env },
      });
      let log = '';
      child.stderr!.on('data', (data: Buffer) => (log += data.toString()));
      const [started] = (await once(child.stdout!, 'data')) as [Buffer];
      const port = Number(/\d+/.exec(started.toString())?.[0]);
      const exchange = async (input: string, actions: number) => {
        const socket = connect(port, '127.0.0.1').setEncoding('utf8');
        socket.write(input);
        let output = '';
        for await (const data of socket) {
          output += data as string;
          if (output.split('\n\n').length > actions) break;
        }
        return output.split('\n\n').slice(0, -1);
      };
      try {
        await act(exchange);
      } finally {
        child.kill();
        await once(child, 'close');
      }
      return log;
    });
  }

  const request = (recipient: string) =>
    `request=smtpd_access_policy\nprotocol_state=RCPT\nprotocol_name=ESMTP\nsender=news@team.example\n` +
    `recipient=${recipient}\nclient_address=127.0.0.1\n\n`;

  it('rejects what is stored as undeliverable, and lets other mail pass', async () => {
    const email = 'gone@example.com';
    const outcome = { email, outcome: 'bounced', code: 550, enhanced_code: '5.1.1' };
    const stored = await app.post('/v1/outcomes', account.liveKey).send({ outcomes: [outcome] });
    expect(stored.body).toMatchObject({ stored: 1 });
    // Long enough for a loaded machine.
    const log = await withPolicy({ RCPT_URL: app.url, POLICY_TIMEOUT_MS: '20000' }, async (exchange) => {
      const refused = 'action=550 5.1.1 This address cannot receive email (bounced)';
      // A connection serves several requests; no name server responds for the second address.
      expect(await exchange(request(email) + request('jane@gmail.com') + request(email), 3)).toEqual([
        refused,
        'action=DUNNO',
        refused,
      ]);
      expect(await exchange(request(''), 1)).toEqual(['action=DUNNO']);
      expect(await exchange('request=smtpd_access_policy\n\n', 1)).toEqual(['action=DUNNO']);
      expect(await exchange('x'.repeat(70_000), 1)).toEqual([]);
    });
    expect(log).toBe('');
  });

  it('lets mail pass without a verdict in time, without a service, and with a refused key', async () => {
    const pass = (env: Record<string, string>) =>
      withPolicy(env, async (exchange) =>
        expect(await exchange(request('gone@example.com'), 1)).toEqual(['action=DUNNO']),
      );
    // It never responds, so that only the time-out of the script can end the request.
    expect(await pass({ RCPT_URL: silentUrl })).toBe('');
    const POLICY_TIMEOUT_MS = '20000';
    expect(await pass({ RCPT_URL: NOBODY, POLICY_TIMEOUT_MS })).toBe('verification failed TypeError\n');
    const refused = { RCPT_URL: app.url, RCPT_API_KEY: 'rcpt_live_1', POLICY_TIMEOUT_MS };
    expect(await pass(refused)).toBe('verification failed 401 invalid_credential\n');
  });

  it('stands in the settings of Postfix with its own port and a default that lets mail pass', async () => {
    const page = await readFile(new URL('../../../docs/recipes/postfix-policy.md', import.meta.url), 'utf8');
    const port = /POLICY_PORT = '(\d+)'/.exec(page)?.[1];
    expect(page).toMatch(
      new RegExp(
        `^ {2}-o \\{ .*check_policy_service \\{ inet:127.0.0.1:${port}, timeout=1s, default_action=DUNNO \\}`,
        'm',
      ),
    );
  });
});
