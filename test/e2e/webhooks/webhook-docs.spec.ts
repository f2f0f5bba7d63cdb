import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { isOnMachine } from '../../support/jest/machine.js';
import { abortRequest } from '../../support/webhooks/aborted-request.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';

const root = join(import.meta.dirname, '../../..');
const has = (program: string, flag: string) => spawnSync(program, [flag]).status === 0;
const hasPython = isOnMachine('Python 3.11', has('python3', '--version'));

/** How each code block of docs/webhooks.md is run. Node is required, the others are optional. */
const RECEIVERS = [
  { language: 'js', command: [process.execPath, '--input-type=module', '-e'], isThere: true },
  { language: 'python', command: ['python3', '-c'], isThere: hasPython },
].filter(({ isThere }) => isThere);
const SHELLS = isOnMachine('openssl', has('openssl', 'version')) ? ['sh'] : [];

let text: string;
let world: WebhookApp;
let account: NewAccount;
const running: ChildProcess[] = [];

beforeAll(async () => {
  text = await readFile(join(root, 'docs/webhooks.md'), 'utf8');
  world = await WebhookApp.start();
  account = await world.app.anAccount();
});
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});
afterAll(() => world.stop());

const blockOf = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(text)?.[1] ?? '';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when the output contains these words. */
function said(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let heard = '';
    child.stdout?.on('data', (bytes: Buffer) => {
      heard += bytes.toString();
      if (heard.includes(words)) resolve();
    });
    child.once('close', () => reject(new Error(`it ended after: ${heard}`)));
  });
}

describe('the quick start for receivers', () => {
  it.each(RECEIVERS)(
    'in $language accepts our deliveries, refuses modified ones, and survives a sender that aborts',
    async ({ language, command }) => {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/hooks`;
      const webhook = await world.aWebhook(account.liveKey, url, { events: ['webhook.test'] });
      const [program = '', ...args] = [...command, blockOf(language)];
      const env = { ...process.env, WEBHOOK_SECRET: webhook.secret, PORT: String(port) };
      const child = spawn(program, args, { cwd: root, env });
      running.push(child);
      await said(child, 'listening');
      await abortRequest(url);
      const heard = said(child, webhook.id);
      await world.aTest(webhook, account);
      await world.send();
      await heard;
      expect(await world.deliveries(webhook, account)).toMatchObject([
        { status: 'succeeded', attempts: [{ status_code: 204 }] },
      ]);
      const now = String(Math.floor(performance.timeOrigin / 1000));
      const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
      for (const headers of [
        {},
        forged,
        { ...forged, 'webhook-timestamp': now, 'webhook-signature': 'v1,\u00e9' },
        { ...forged, 'webhook-timestamp': now },
      ]) {
        const answer = await fetch(url, { method: 'POST', body: '{}', headers });
        expect([headers, answer.status]).toEqual([headers, 401]);
      }
    },
  );

  for (const shell of SHELLS)
    it('in a shell prints the received signature', async () => {
      const receiver = await world.aReceiver();
      const webhook = await world.aWebhook(account.liveKey, receiver.url, { events: ['webhook.test'] });
      await world.aTest(webhook, account);
      await world.send();
      const [came] = receiver.received;
      const cwd = await mkdtemp(join(tmpdir(), 'rcpt-webhook-'));
      await writeFile(join(cwd, 'body.json'), came?.body ?? '');
      const env = {
        ...process.env,
        WEBHOOK_SECRET: webhook.secret,
        WEBHOOK_ID: came?.headers['webhook-id'],
        WEBHOOK_TIMESTAMP: came?.headers['webhook-timestamp'],
      };
      const printed = execFileSync(shell, ['-c', blockOf('sh')], { cwd, env }).toString();
      await rm(cwd, { recursive: true });
      expect(`v1,${printed.trim()}`).toBe(came?.headers['webhook-signature']);
    });
});
