import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { aBulkJob, recheckOn, resultsOf, workOn } from '../../support/app/bulk.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aPublishableKey, Visitor } from '../../support/app/publishable.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { setPolicy } from '../../support/policy/policy-of.js';
import { catchAll, mailboxes, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';
import { WebhookApp } from '../../support/webhooks/webhook-app.js';

/** Greylists jane once. */
function greylistingJane(): SmtpBehaviour {
  const base = mailboxes('jane');
  const isNew = (localPart: string, times: number) => localPart === 'jane' && times === 1;
  return {
    ...base,
    rcpt: (asking) => (isNew(asking.localPart, asking.times) ? '450 4.2.0 Greylisted' : base.rcpt(asking)),
  };
}

const scene = (domain: string, server: SmtpBehaviour) => ({
  domain,
  story: '',
  servers: [server],
  expect: {},
});
const SCENES = [
  scene('plain.mailworld', plain),
  scene('open.mailworld', catchAll()),
  scene('grey.mailworld', greylistingJane()),
];
/** Longer than a process caches rules. */
const SECONDS_5 = 5_000;

let world: MailWorld;
let webhooks: WebhookApp;
let app: TestApp;
let account: NewAccount;

beforeAll(async () => {
  world = await MailWorld.start({ scenes: SCENES });
  webhooks = await WebhookApp.start(world.env);
  ({ app } = webhooks);
});
beforeEach(async () => {
  account = await app.anAccount();
});
afterAll(async () => {
  await webhooks.stop();
  await world.stop();
});

const verify = async (email: string, key = account.liveKey, by = app): Promise<VerdictResponse> => {
  const answer = await by.get(`/v1/verify?email=${encodeURIComponent(email)}`, key);
  expect(answer.status).toBe(200);
  return answer.body as VerdictResponse;
};
const policyOf = async (...asked: Parameters<typeof verify>) => (await verify(...asked)).policy;
const set = (...rules: object[]) => setPolicy(app, account.liveKey, rules);
const JANE = 'jane@plain.mailworld';
const GHOST = 'ghost@plain.mailworld';
const OPEN = 'jane@open.mailworld';

const acceptOpen = { id: 'open', when: { domain: 'open.mailworld' }, decision: 'accept' };
const rejectPlain = { id: 'plain', when: { domain: 'plain.mailworld' }, decision: 'reject' };

describe('a rule of the team decides', () => {
  it('about new and stored facts, without a change of the status, and not about other teams', async () => {
    expect(await policyOf(OPEN)).toEqual({ decision: 'review', rule: null });
    await set(acceptOpen);
    for (let time = 0; time < 2; time++)
      expect(await verify(OPEN)).toMatchObject({
        status: 'risky',
        reason: 'catch_all',
        policy: { decision: 'accept', rule: 'team:open' },
      });
    const other = await app.anAccount();
    expect(await policyOf(OPEN, other.liveKey)).toEqual({ decision: 'review', rule: null });
  });

  it('about several addresses in one request, and the results of test keys', async () => {
    await set({ id: 'all', when: {}, decision: 'reject' });
    const answer = await app
      .post('/v1/verify', account.testKey)
      .send({ emails: ['a@b.example', 'c@d.example'] });
    const { data } = answer.body as { data: VerdictResponse[] };
    expect(data.map(({ policy }) => policy.rule)).toEqual(['team:all', 'team:all']);
  });

  it('in another process within five seconds', async () => {
    const other = await anApp({ ...world.env, ...app.shared });
    try {
      expect(await policyOf(JANE, account.liveKey, other)).toEqual({ decision: 'accept', rule: null });
      await set(rejectPlain);
      expect(await policyOf(JANE)).toEqual({ decision: 'reject', rule: 'team:plain' });
      other.clock.advance(SECONDS_5);
      expect(await policyOf(JANE, account.liveKey, other)).toEqual({
        decision: 'reject',
        rule: 'team:plain',
      });
    } finally {
      await other.stop();
    }
  });

  it('until it expires', async () => {
    const expires_at = new Date(app.clock.now().getTime() + 60_000).toISOString();
    await set({ ...rejectPlain, expires_at });
    expect((await policyOf(JANE)).decision).toBe('reject');
    app.clock.advance(60_000);
    expect(await policyOf(JANE)).toEqual({ decision: 'accept', rule: null });
  });
});

describe('with the other mechanisms that decide', () => {
  it('the blocklist comes first', async () => {
    await set({ id: 'all', when: {}, decision: 'accept' });
    await app.post('/v1/blocklist', account.liveKey).send({ domain: 'plain.mailworld' });
    expect(await policyOf(JANE)).toEqual({ decision: 'reject', rule: 'blocklist:plain.mailworld' });
  });

  it('an acceptance holds against a missing mailbox and a bounce, and not against a fault of syntax', async () => {
    const at = new Date(app.clock.now().getTime() - 1_000).toISOString();
    const bounce = { email: JANE, at, outcome: 'bounced', reply: '550 5.1.1 User unknown' };
    await app.post('/v1/outcomes', account.liveKey).send(bounce);
    expect(await verify(JANE)).toMatchObject({ reason: 'bounced', policy: { decision: 'reject' } });
    await set(
      { id: 'partner', when: { domain_suffix: 'mailworld' }, decision: 'accept' },
      { ...acceptOpen, when: {} },
    );
    const accepted = { decision: 'accept', rule: 'team:partner' };
    expect(await verify(JANE)).toMatchObject({
      status: 'undeliverable',
      reason: 'bounced',
      policy: accepted,
    });
    expect(await verify(GHOST)).toMatchObject({ reason: 'mailbox_not_found', policy: accepted });
    expect(await policyOf('jane@@plain.mailworld')).toMatchObject({
      decision: 'reject',
      rule: expect.stringMatching(/^syntax:/),
    });
  });

  it('a complaint and a look-alike decide only where no rule matches', async () => {
    const at = new Date(app.clock.now().getTime() - 1_000).toISOString();
    await app.post('/v1/outcomes', account.liveKey).send({ email: JANE, at, outcome: 'complained' });
    const LOOK_ALIKE = 'jane@xn--80ak6aa92e.com';
    expect(await policyOf(JANE)).toEqual({ decision: 'review', rule: 'complained' });
    expect((await policyOf(LOOK_ALIKE, account.testKey)).rule).toBe('address:look_alike');
    await set({ id: 'all', when: { status: ['deliverable', 'risky', 'undeliverable'] }, decision: 'accept' });
    expect(await policyOf(JANE)).toEqual({ decision: 'accept', rule: 'team:all' });
    expect(await policyOf(LOOK_ALIKE, account.testKey)).toEqual({ decision: 'accept', rule: 'team:all' });
    await set({ id: 'other', when: { tld: 'example' }, decision: 'accept' });
    expect((await policyOf(JANE)).rule).toBe('complained');
  });
});

describe('a list that was verified before', () => {
  it('has the decisions of the rules of now: pages, filters, CSV, NDJSON and workbook', async () => {
    const job = await aBulkJob(app, account.liveKey, [JANE, GHOST, OPEN]);
    await workOn(app);
    const rows = async (filter = '') => {
      const found = await resultsOf(app, account.liveKey, job.id, filter);
      return found.map((row) => ('policy' in row ? row.policy.decision : null));
    };
    const results = `/v1/bulk-jobs/${job.id}/results`;
    const read = async (accept: string) =>
      await fetch(`${app.url}${results}`, {
        headers: { Authorization: `Bearer ${account.liveKey}`, Accept: accept },
      });
    expect(await rows()).toEqual(['accept', 'reject', 'review']);
    await set(acceptOpen, rejectPlain);
    expect(await rows()).toEqual(['reject', 'reject', 'accept']);
    expect(await rows('&status=risky')).toEqual(['accept']);
    expect(await rows('&reason=accepted_email')).toEqual(['reject']);
    expect(await rows('&q=open')).toEqual(['accept']);
    const csv = parse<Record<string, string>>(await (await read('text/csv')).text(), { columns: true });
    expect(csv.map(({ decision, rule, status }) => [decision, rule, status])).toEqual([
      ['reject', 'team:plain', 'deliverable'],
      ['reject', 'team:plain', 'undeliverable'],
      ['accept', 'team:open', 'risky'],
    ]);
    const lines = (await (await read('application/x-ndjson')).text()).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as VerdictResponse).policy.rule)).toEqual([
      'team:plain',
      'team:plain',
      'team:open',
    ]);
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const sheet = await readSheet(Buffer.from(await (await read(type)).arrayBuffer()));
    const column = sheet[0]!.indexOf('decision');
    expect(sheet.slice(1).map((cells) => cells[column])).toEqual(['reject', 'reject', 'accept']);
    await set();
    expect(await rows()).toEqual(['accept', 'reject', 'review']);
  });
});

describe('who reads a verdict elsewhere', () => {
  it('a visitor of a page with a publishable key gets the decision, and no name of a rule', async () => {
    await set(rejectPlain);
    const { key } = await aPublishableKey(app, account.liveKey);
    const answer = await new Visitor(app, key, '192.0.2.1').post({ email: JANE });
    expect(answer.body).toMatchObject({ status: 'deliverable', policy: { decision: 'reject' } });
    expect(answer.text).not.toContain('team:plain');
    // The proof for the server of the page has the same decision.
    const { proof } = answer.body as { proof: string };
    const claims = Buffer.from(proof.split('.')[1]!, 'base64url').toString();
    expect(JSON.parse(claims)).toMatchObject({ decision: 'reject' });
  });

  it('an assistant gets it from its tools, for one address and for the rows of a list', async () => {
    const job = await aBulkJob(app, account.liveKey, [JANE]);
    await workOn(app);
    await set(rejectPlain);
    const call = async (name: string, args: object) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      return (await app.post('/mcp', account.liveKey).send(message)).body as object;
    };
    const policy = { decision: 'reject', rule: 'team:plain' };
    expect(await call('verify_email', { email: JANE })).toMatchObject({
      result: { structuredContent: { policy } },
    });
    expect(await call('get_list_results', { id: job.id })).toMatchObject({
      result: { structuredContent: { data: [{ policy }] } },
    });
  });

  /** Last: it advances the clock. */
  it('the event of a recheck has the rules of the time at which it is sent', async () => {
    const receiver = await webhooks.aReceiver();
    await webhooks.aWebhook(account.liveKey, receiver.url, { events: ['verification.completed'] });
    await set({ id: 'grey', when: { reason: 'greylisted' }, decision: 'reject' });
    const email = 'jane@grey.mailworld';
    expect(await policyOf(email)).toEqual({ decision: 'reject', rule: 'team:grey' });
    app.clock.advance(5 * 60_000);
    await recheckOn(app);
    await webhooks.dispatchEvents();
    const planned = { id: 'now', when: { email: email.toUpperCase() }, decision: 'review' };
    const preview = await app.post('/v1/policy/preview', account.liveKey).send({ rules: [planned] });
    expect(preview.body).toMatchObject({ verdicts: 1, changed: 1, by_decision: { review: 1 } });
    await set(planned);
    await webhooks.send();
    expect(receiver.bodies).toMatchObject([
      {
        data: {
          verdict: {
            status: 'deliverable',
            reason: 'accepted_email',
            policy: { decision: 'review', rule: 'team:now' },
          },
        },
      },
    ]);
  });
});
