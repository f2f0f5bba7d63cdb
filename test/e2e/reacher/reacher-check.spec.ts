import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { REASON_TABLE, REASONS, STATUS_OF, type Reason } from '../../../src/kernel/verdict.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { answerTo } from '../../support/app/reacher.js';

let app: TestApp;
let account: NewAccount;
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL: 'https://verify.example' });
  account = await app.anAccount();
});
afterAll(() => app.stop());

type Output = Record<'misc' | 'mx' | 'smtp' | 'syntax', Record<string, unknown>> & {
  is_reachable: string;
  debug: { rcpt: object };
};

const check = (body: unknown, key = account.testKey, path = '/v1/check_email') =>
  app.post(path, key).send(body as object);

async function outputOf(to_email: string): Promise<Output> {
  const { status, body } = await answerTo(check({ to_email }));
  expect([to_email, status]).toEqual([to_email, 200]);
  return body as Output;
}

describe.each(['/v0/check_email', '/v1/check_email'])('POST %s', (path) => {
  it('returns the verdict in the form of Reacher, with the evidence of Rcpt', async () => {
    const { status, headers, body } = await answerTo(
      check({ to_email: 'jane@example.com' }, account.testKey, path),
    );
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({
      input: 'jane@example.com',
      is_reachable: 'safe',
      misc: {
        ...{ is_disposable: false, is_role_account: false, is_b2c: false },
        ...{ gravatar_url: null, haveibeenpwned: null },
      },
      mx: { accepts_mail: true, records: ['mx.example.com.'] },
      smtp: {
        ...{ can_connect_smtp: true, has_full_inbox: false, is_catch_all: false },
        ...{ is_deliverable: true, is_disabled: false },
      },
      syntax: {
        ...{ address: 'jane@example.com', domain: 'example.com', is_valid_syntax: true, username: 'jane' },
        ...{ normalized_email: 'jane@example.com', suggestion: null },
      },
      debug: {
        start_time: expect.stringMatching(/^20.*Z$/),
        end_time: expect.stringMatching(/^20.*Z$/),
        duration: { secs: expect.any(Number), nanos: expect.any(Number) },
        server_name: 'verify.example',
        rcpt: {
          reason: 'accepted_email',
          checks: expect.objectContaining({ role: false, catch_all: false }),
          request_id: headers['x-request-id'],
        },
      },
    });
  });
});

/** Reasons whose verdict says nothing of the mailbox, though it is not `unknown`. */
const NOT_ASKED: readonly Reason[] = ['blocked_domain', 'disposable'];
/** Of a test key it is an error. */
const VERDICTS = REASONS.filter((reason) => reason !== 'rate_limited');
const WORDS = { deliverable: 'safe', undeliverable: 'invalid', risky: 'risky', unknown: 'unknown' };

describe('the words of Reacher', () => {
  it.each(VERDICTS)('for %s are those of its status', async (reason) => {
    const output = await outputOf(`${reason}@example.com`);
    expect(output.debug.rcpt).toMatchObject({ reason });
    expect(output.is_reachable).toBe(WORDS[STATUS_OF[reason]]);
    const error = { type: reason, message: REASON_TABLE[reason].explanation };
    if (STATUS_OF[reason] === 'unknown' || NOT_ASKED.includes(reason)) expect(output.smtp).toEqual({ error });
    else {
      expect(Object.values(output.smtp).map((value) => typeof value)).toEqual(Array(5).fill('boolean'));
      const isAccepted = reason !== 'mailbox_full' && STATUS_OF[reason] !== 'undeliverable';
      expect(output.smtp.is_deliverable).toBe(isAccepted);
    }
  });

  it.each([
    ['mailbox_full', { has_full_inbox: true, is_deliverable: false, can_connect_smtp: true }],
    ['catch_all', { is_catch_all: true, is_deliverable: true }],
    ['mailbox_disabled', { is_disabled: true, is_deliverable: false }],
    ['mailbox_not_found', { can_connect_smtp: true, is_deliverable: false }],
    ['null_mx', { can_connect_smtp: false, is_deliverable: false }],
  ])('show %s in smtp', async (reason, smtp) => {
    expect((await outputOf(`${reason}@example.com`)).smtp).toMatchObject(smtp);
  });

  it('call every role account risky, and name it', async () => {
    const output = await outputOf('admin@example.com');
    expect(output).toMatchObject({ is_reachable: 'risky', misc: { is_role_account: true } });
    expect(output.debug.rcpt).toMatchObject({ reason: 'accepted_email' });
    const gone = await outputOf('admin+mailbox_not_found@example.com');
    expect(gone).toMatchObject({ is_reachable: 'invalid', misc: { is_role_account: true } });
  });

  it('show disposable domains, free mailboxes, hosts, and the mailbox that is meant', async () => {
    expect(await outputOf('disposable@example.com')).toMatchObject({
      is_reachable: 'risky',
      misc: { is_disposable: true },
    });
    expect(await outputOf('J.a.ne+news@googlemail.com')).toMatchObject({
      misc: { is_b2c: true },
      syntax: { address: 'J.a.ne+news@googlemail.com', normalized_email: 'jane@gmail.com' },
    });
    expect(await outputOf('typo@gmial.com')).toMatchObject({
      is_reachable: 'invalid',
      mx: { accepts_mail: false, records: [] },
      syntax: { suggestion: 'typo@gmail.com' },
    });
  });

  it('leave a text that is no address without its parts', async () => {
    expect((await outputOf('jane at example.com')).syntax).toEqual({
      ...{ address: null, domain: '', is_valid_syntax: false, username: '' },
      ...{ normalized_email: null, suggestion: null },
    });
  });
});

describe('a body of Reacher', () => {
  it('may say what the operator decides: it is ignored, and named', async () => {
    const asked = {
      from_email: 'me@example.com',
      hello_name: 'example.com',
      proxy: { host: 'proxy.example', port: 1080, username: 'u', password: 'p' },
      smtp_port: 587,
      gmail_verif_method: 'Api',
      yahoo_verif_method: 'Headless',
      hotmailb2b_verif_method: 'Smtp',
      check_gravatar: true,
      yahoo_use_api: false,
      hotmail_use_headless: 'http://localhost:4444',
    };
    const { status, headers } = await answerTo(
      check({ to_email: 'jane@example.com', ...asked, smtp_timeout: null }),
    );
    expect([status, headers['rcpt-ignored']]).toEqual([200, Object.keys(asked).join(', ')]);
    const { headers: none } = await check({ to_email: 'jane@example.com' });
    expect(none['rcpt-ignored']).toBeUndefined();
  });

  it.each<[string, unknown, RegExp]>([
    ['no address', {}, /^\/to_email: Send one address/],
    ['an empty address', { to_email: '' }, /^\/to_email: Send one address/],
    ['a number', { to_email: 7 }, /^\/to_email: Send one address/],
    ['too long an address', { to_email: 'a'.repeat(1_001) }, /^\/to_email: Send one address/],
    ['two addresses', { to_email: ['a@example.com', 'b@example.com'] }, /^\/to_email: Send one address/],
    ['the member of Rcpt', { email: 'jane@example.com' }, /to_email.*\/email: This member is not known/],
    [
      'a thousand members',
      Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`m${n}_verif_method`, 'Smtp'])),
      /^The body: Send at most 100 members/,
    ],
    ['an array', ['jane@example.com'], /^The body: Send a JSON object/],
    [
      'a webhook',
      { to_email: 'jane@example.com', webhook: { on_each_email: { url: 'https://hook.example' } } },
      /verification\.completed/,
    ],
  ])('with %s is refused with a sentence', async (_, sent, sentence) => {
    const { status, headers, body } = await answerTo(check(sent));
    expect([status, headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
    expect(body).toEqual({ error: expect.stringMatching(sentence) });
  });

  it('that cannot be read is refused with a sentence', async () => {
    const send = (type: string, text: string) =>
      app.post('/v0/check_email', account.testKey).set('Content-Type', type).send(text);
    expect(await send('application/json', '{"to_email":')).toMatchObject({
      status: 400,
      body: { error: 'The body is not JSON: see line 1, column 13.' },
    });
    expect(await send('text/plain', 'jane@example.com')).toMatchObject({
      status: 415,
      body: { error: 'Send Content-Type: application/json.' },
    });
    const { status, body } = await answerTo(
      send('application/json', `{"to_email":"${'a'.repeat(100_001)}"}`),
    );
    expect([status, body]).toEqual([413, { error: expect.any(String) }]);
  });

  it('is charged and limited as a call of Rcpt', async () => {
    const { liveKey } = await app.anAccount();
    await check({ to_email: 'jane@nowhere.invalid' }, liveKey);
    const { body } = await answerTo(app.get('/v1/usage', liveKey));
    expect(body).toMatchObject({ single: 1, quota: { used: 1 } });
  });
});
