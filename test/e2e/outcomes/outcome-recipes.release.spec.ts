import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { Recipe } from '../../support/clients/recipe.js';
import { REPORT_FORMATS } from '../../support/outcomes/delivery-reports.js';
import { PROVIDER_EVENTS } from '../../support/outcomes/provider-events.js';
import { selfSigned } from '../../support/tls/self-signed.js';
import { SnsEndpoint } from '../../../src/modules/events/outcome-intake/domain/sns-endpoint.js';

const root = join(import.meta.dirname, '../../..');
const NOW = '2026-11-20T12:00:00Z';
const GONE = [{ kind: 'bounced', code: 550, enhanced_code: '5.1.1' }];

interface Call {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** The API of a provider, which responds with the same members to each request. */
class FakeProvider {
  readonly calls: Call[] = [];
  private readonly server: Server;

  constructor(members: object) {
    this.server = createServer((request, response) => {
      void text(request).then((sent) => {
        const body = JSON.parse(sent) as Record<string, unknown>;
        this.calls.push({ method: request.method, url: request.url, headers: request.headers, body });
        response.end(JSON.stringify(members));
      });
    });
  }

  async start(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
  }
}

describe('the recipe for bounces', () => {
  let app: TestApp;
  let account: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt(NOW);
  });
  beforeEach(async () => {
    account = await app.anAccount();
  });
  afterAll(() => app.stop());

  const access = () => ({ RCPT_URL: app.url, RCPT_API_KEY: account.liveKey });
  const of = async (email: string) =>
    ((await app.get(`/v1/outcomes?email=${email}`, account.liveKey)).body as { data: unknown[] }).data;
  const run = async (command: string[], env: Record<string, string>, input = '') => {
    const [program = '', ...args] = command;
    const { PATH = '' } = process.env;
    const child = spawn(program, args, { env: { PATH, ...env } });
    // A script may end before it has read its input.
    child.stdin.on('error', () => undefined).end(input);
    const said = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await once(child, 'close')) as [number | null];
    const [out, err] = await said;
    return { code, out, err };
  };
  const post = (url: string, body: string, headers: Record<string, string> = {}) =>
    app.post(new URL(url).pathname).set('Content-Type', 'application/json').set(headers).send(body);

  describe('of Postfix', () => {
    const SCRIPT = '/usr/local/lib/rcpt-bounce';

    it('has a transport that runs its script', async () => {
      const page = await readFile(join(root, 'docs/recipes/postfix.md'), 'utf8');
      const [, service, path] = /^(\S+) +unix .* pipe\n .*argv=(\S+)$/m.exec(page) ?? [];
      expect([service, path]).toEqual(['rcpt-bounce', SCRIPT]);
      expect(page).toMatch(/^bounces\.example\.com {2}rcpt-bounce:$/m);
      expect(page).toMatch(/^rcpt-bounce_destination_recipient_limit = 1$/m);
    });

    it('sends each bounce, and lets Postfix keep it after a failure', async () => {
      const recipe = await Recipe.read('postfix');
      await recipe.inFolder([SCRIPT], async (folder) => {
        const settings = join(folder, 'settings');
        const pipe = (input: string, path = `${folder}:${process.env.PATH}`) =>
          run([join(folder, SCRIPT)], { RCPT_SETTINGS: settings, PATH: path }, input);
        const reply = '550 5.1.1 <gone@example.com>: Recipient address rejected: User unknown';
        const report = REPORT_FORMATS.postfix({
          recipient: 'gone@example.com',
          reply,
          remoteHost: 'mx.example',
        });
        expect(await pipe(report)).toEqual({ code: 75, out: '', err: '' });
        const set = (url: string) =>
          writeFile(settings, `RCPT_URL=${url}\nRCPT_API_KEY=${account.liveKey}\n`);
        await set('http://127.0.0.1:2');
        expect(await pipe(report, '/usr/bin:/bin')).toEqual({ code: 75, out: '', err: '' });
        await writeFile(
          join(folder, 'rcpt'),
          `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/rcpt.js')}" "$@"\n`,
          { mode: 0o755 },
        );
        expect(await pipe(report)).toMatchObject({
          code: 75,
          err: expect.stringContaining('nothing listens'),
        });
        await set(app.url);
        expect(await pipe(report)).toEqual({ code: 0, out: '', err: '' });
        expect(await pipe('From: jane@example.com\n\nI am on holiday')).toEqual({
          code: 0,
          out: '',
          err: '',
        });
        expect(await of('gone@example.com')).toMatchObject(GONE);
      });
    });
  });

  it('of Postmark adds a webhook whose events the source takes', async () => {
    const postmark = new FakeProvider({ ID: 42 });
    const url = await postmark.start();
    await (
      await Recipe.read('postmark')
    ).inFolder(['connect-postmark.mjs'], async (folder) => {
      const env = { ...access(), POSTMARK_API: url, POSTMARK_SERVER_TOKEN: 'server-token' };
      const result = await run([process.execPath, join(folder, 'connect-postmark.mjs')], env);
      expect(result).toEqual({
        code: 0,
        err: '',
        out: expect.stringMatching(/^webhook 42 sends to the source src_/),
      });
    });
    postmark.stop();
    const [call] = postmark.calls;
    expect(call).toMatchObject({
      method: 'POST',
      url: '/webhooks',
      headers: { 'x-postmark-server-token': 'server-token' },
      body: {
        MessageStream: 'outbound',
        Triggers: { Bounce: { Enabled: true }, Delivery: { Enabled: true } },
      },
    });
    const { Url, HttpAuth } = call?.body as { Url: string; HttpAuth: { Username: string; Password: string } };
    const credential = Buffer.from(`${HttpAuth.Username}:${HttpAuth.Password}`).toString('base64');
    const event = JSON.stringify(PROVIDER_EVENTS.postmark[0]);
    expect((await post(Url, event)).status).toBe(401);
    expect((await post(Url, event, { Authorization: `Basic ${credential}` })).body).toMatchObject({
      stored: 1,
    });
    expect(await of('ghost@example.com')).toMatchObject(GONE);
  });

  it('of SendGrid adds a signed webhook whose events the source takes', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const public_key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const sendgrid = new FakeProvider({ id: 'w-1', public_key });
    const url = await sendgrid.start();
    await (
      await Recipe.read('sendgrid')
    ).inFolder(['connect-sendgrid.mjs'], async (folder) => {
      const env = { ...access(), SENDGRID_API: url, SENDGRID_API_KEY: 'SG.key' };
      const result = await run([process.execPath, join(folder, 'connect-sendgrid.mjs')], env);
      expect(result).toMatchObject({ code: 0, err: '' });
    });
    sendgrid.stop();
    const SETTINGS = '/v3/user/webhooks/event/settings';
    expect(sendgrid.calls.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
      `POST ${SETTINGS}`,
      `PATCH ${SETTINGS}/signed/w-1`,
      `PATCH ${SETTINGS}/w-1`,
    ]);
    const { url: target, ...settings } = sendgrid.calls[2]?.body as { url: string };
    expect(settings).toMatchObject({ enabled: true, bounce: true, delivered: true, spam_report: true });
    const event = JSON.stringify(PROVIDER_EVENTS.sendgrid[0]);
    const time = String(Date.parse(NOW) / 1_000);
    const signature = createSign('sha256')
      .update(time + event)
      .sign(privateKey, 'base64');
    const headers = {
      'X-Twilio-Email-Event-Webhook-Signature': signature,
      'X-Twilio-Email-Event-Webhook-Timestamp': time,
    };
    expect((await post(target, event)).status).toBe(401);
    expect((await post(target, event, headers)).body).toMatchObject({ stored: 2 });
    expect(await of('ghost@example.com')).toMatchObject(GONE);
  });

  it('of Amazon SES subscribes a source, which confirms it and takes the events', async () => {
    const amazon = await selfSigned('sns.amazonaws.com', 'rsa');
    const fetched = jest.fn<SnsEndpoint['get']>().mockResolvedValue(amazon.cert);
    jest.spyOn(app.service.app.get(SnsEndpoint, { strict: false }), 'get').mockImplementation(fetched);
    const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:rcpt-outcomes';
    let target = '';
    await (
      await Recipe.read('amazon-ses')
    ).inFolder(['connect-ses'], async (folder) => {
      // Writes its arguments, one call a line.
      const aws = `#!/bin/sh\necho "$@" >> "${folder}/calls"\n[ "$2" != create-topic ] || echo "${TOPIC}"\n`;
      await writeFile(join(folder, 'aws'), aws, { mode: 0o755 });
      const env = { ...access(), PATH: `${folder}:${process.env.PATH}` };
      expect(await run([join(folder, 'connect-ses'), 'example.com'], env)).toMatchObject({
        code: 0,
        err: '',
      });
      const calls = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
      expect(calls.slice(1, 5)).toEqual([
        `sns set-topic-attributes --topic-arn ${TOPIC} --attribute-name SignatureVersion --attribute-value 2`,
        ...['Bounce', 'Complaint', 'Delivery'].map(
          (type) =>
            `ses set-identity-notification-topic --identity example.com --notification-type ${type} --sns-topic ${TOPIC}`,
        ),
      ]);
      target = /^sns subscribe .* --notification-endpoint (\S+)/.exec(calls.at(-1) ?? '')?.[1] ?? '';
    });
    const send = (members: Record<string, string>) => {
      const all: Record<string, string> = { MessageId: '1', TopicArn: TOPIC, Timestamp: NOW, ...members };
      const names = Object.keys(all).sort();
      const signed = names.map((name) => `${name}\n${all[name]}\n`).join('');
      const Signature = createSign('sha256').update(signed).sign(amazon.key, 'base64');
      const SigningCertURL = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem';
      return post(target, JSON.stringify({ ...all, SignatureVersion: '2', SigningCertURL, Signature }));
    };
    const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=1';
    const request = { Type: 'SubscriptionConfirmation', Message: 'Confirm', Token: '1', SubscribeURL };
    expect((await send(request)).status).toBe(200);
    expect(fetched.mock.calls.map(([url]) => url)).toContain(SubscribeURL);
    const bounce = { Type: 'Notification', Message: JSON.stringify(PROVIDER_EVENTS.ses[0]) };
    expect((await send(bounce)).body).toMatchObject({ stored: 1 });
    expect(await of('ghost@example.com')).toMatchObject(GONE);
  });
});
