import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { BulkJobResponse } from '../../../src/modules/lists/bulk/jobs/bulk-job.dto.js';
import { ListErasureService } from '../../../src/modules/lists/bulk/jobs/list-erasure.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { jobOf, resultsOf, sendList, upkeepOf, verifyOn, workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { setPolicy } from '../../support/policy/policy-of.js';
import { mailboxes, type SmtpBehaviour } from '../../support/smtp/smtp-behaviours.js';

/** Delays the first question about each of Grete's addresses. */
function greylistingGrete(): SmtpBehaviour {
  const base = mailboxes('grete+a', 'grete+b', 'jane');
  return {
    ...base,
    rcpt: (asking) =>
      asking.localPart.startsWith('grete') && asking.times === 1 ? '450 4.2.0 Greylisted' : base.rcpt(asking),
  };
}

const google = mailboxes('jane', 'J.ane', 'jane+news', 'zoe', 'z.oe');
const scene = (domain: string, server: SmtpBehaviour) => ({
  domain,
  story: '',
  servers: [server],
  expect: {},
});
const SCENES = [
  scene('gmail.com', google),
  scene('googlemail.com', google),
  scene('live.com', greylistingGrete()),
  scene('plain.mailworld', mailboxes('jane')),
];

const FIRST = 'J.ane@gmail.com';
const LIST = [FIRST, 'jane+news@googlemail.com', 'ghost@gmail.com', FIRST, 'jane@plain.mailworld'];

describe('a list with unique=canonical', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  let key: string;
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: SCENES });
    app = await anApp(world.env);
  });
  beforeEach(async () => {
    account = await app.anAccount();
    key = account.liveKey;
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const submit = async (emails: readonly string[], unique: string | null = 'canonical') => {
    const body = ['email', ...emails].join('\n');
    const query = unique === null ? '' : `?unique=${unique}`;
    const sent = await sendList(app, key, body, 'text/csv', { query });
    expect([sent.status, sent.body]).toMatchObject([202, {}]);
    return sent.body as BulkJobResponse;
  };
  const verified = async (emails: readonly string[], unique?: string | null) => {
    const { id } = await submit(emails, unique);
    await workOn(app);
    return { id, job: await jobOf(app, key, id), rows: await resultsOf(app, key, id) };
  };
  const csvOf = async (id: string, query: string) => {
    const answer = await app.get(`/v1/bulk-jobs/${id}/results?${query}`, key).set('Accept', 'text/csv');
    return answer.text.trim().split('\r\n').join('\n').split('\n');
  };

  it('verifies and charges a mailbox once, and each row says whose duplicate it is', async () => {
    const { id, job, rows } = await verified(LIST);
    expect(job).toMatchObject({
      status: 'completed',
      unique_by: 'canonical',
      ...{ total: 5, unique: 3, duplicates: 2, processed: 5 },
      by_status: { deliverable: 4, undeliverable: 1 },
      usage: { reserved: 3, charged: 3, returned: 0 },
    });
    expect(rows).toMatchObject([
      { email: FIRST, canonical_email: 'jane@gmail.com', duplicate_of: null, status: 'deliverable' },
      {
        email: 'jane+news@googlemail.com',
        normalized_email: 'jane+news@googlemail.com',
        canonical_email: 'jane@gmail.com',
        ...{ local_part: 'jane+news', domain: 'googlemail.com', duplicate_of: FIRST, status: 'deliverable' },
        checks: { subaddress: true },
      },
      { canonical_email: 'ghost@gmail.com', duplicate_of: null, reason: 'mailbox_not_found' },
      { email: FIRST, duplicate_of: FIRST, status: 'deliverable', checks: { subaddress: false } },
      { email: 'jane@plain.mailworld', canonical_email: null, duplicate_of: null, status: 'deliverable' },
    ]);
    expect(await csvOf(id, 'columns=email,canonical_email,duplicate_of')).toEqual([
      'email,canonical_email,duplicate_of',
      `${FIRST},jane@gmail.com,`,
      `jane+news@googlemail.com,jane@gmail.com,${FIRST}`,
      'ghost@gmail.com,ghost@gmail.com,',
      `${FIRST},jane@gmail.com,${FIRST}`,
      'jane@plain.mailworld,,',
    ]);
  });

  it('has one row of each mailbox with distinct=true, and all of them with a filter by reason', async () => {
    const { id } = await verified(LIST);
    const distinct = await resultsOf(app, key, id, '&distinct=true');
    expect(distinct.map(({ index }) => index)).toEqual([0, 2, 4]);
    const accepted = await resultsOf(app, key, id, '&reason=accepted_email');
    expect(accepted.map(({ index }) => index)).toEqual([0, 1, 3, 4]);
    expect(accepted).toMatchObject([{ duplicate_of: null }, { duplicate_of: FIRST }, {}, {}]);
  });

  it('has another row for each address without it, as before', async () => {
    const { job, rows } = await verified(LIST, null);
    expect(job).toMatchObject({ unique_by: 'address', unique: 4, duplicates: 1, usage: { charged: 4 } });
    expect(rows.map((row) => 'duplicate_of' in row && row.duplicate_of)).toEqual(LIST.map(() => null));
  });

  it('decides about each row by its own address', async () => {
    const { id } = await verified(LIST);
    await setPolicy(app, key, [
      { id: 'old', when: { domain: 'googlemail.com' }, decision: 'review' },
      { id: 'exact', when: { email: FIRST.toLowerCase() }, decision: 'reject' },
    ]);
    const rows = await resultsOf(app, key, id);
    expect(rows).toMatchObject([
      { policy: { decision: 'reject', rule: 'team:exact' } },
      { policy: { decision: 'review', rule: 'team:old' } },
      {},
      { policy: { decision: 'reject' } },
      { policy: { decision: 'accept', rule: null } },
    ]);
  });

  it.each([
    ['the blocklist', '/v1/blocklist', { domain: 'googlemail.com' }, 'blocked_domain'],
    [
      'an override',
      '/v1/admin/disposable',
      { domain: 'googlemail.com', verdict: 'disposable' },
      'disposable',
    ],
  ])('keeps the addresses of a domain apart that %s names', async (_, path, entry, reason) => {
    const added = await app.post(path, key).send(entry);
    expect([added.status, added.body]).toMatchObject([201, {}]);
    const { job, rows } = await verified(['jane+news@googlemail.com', 'jane@gmail.com', FIRST]);
    expect(job).toMatchObject({ unique: 2, duplicates: 1 });
    expect(rows).toMatchObject([
      { reason, duplicate_of: null },
      { reason: 'accepted_email', duplicate_of: null },
      { reason: 'accepted_email', duplicate_of: 'jane@gmail.com' },
    ]);
  });

  it('keeps the addresses apart whose mailbox has a domain on the blocklist', async () => {
    await app.post('/v1/blocklist', key).send({ domain: 'gmail.com' });
    const { rows } = await verified(['jane+news@googlemail.com', 'jane@gmail.com', 'jane@googlemail.com']);
    expect(rows).toMatchObject([
      { reason: 'accepted_email', duplicate_of: null },
      { reason: 'blocked_domain', duplicate_of: null },
      { reason: 'accepted_email', duplicate_of: null },
    ]);
  });

  it('gives the outcome of the first address to all addresses of the mailbox', async () => {
    const outcomes = [{ email: FIRST, outcome: 'bounced', reply: '550 5.1.1 User unknown' }];
    const sent = await app.post('/v1/outcomes', key).send({ outcomes });
    expect([sent.status, sent.body]).toMatchObject([200, {}]);
    const { rows } = await verified([FIRST, 'jane@gmail.com']);
    expect(rows).toMatchObject([
      { reason: 'bounced', duplicate_of: null },
      { reason: 'bounced', duplicate_of: FIRST },
    ]);
  });

  it('completes deferred rows with the verdict of the first address', async () => {
    const list = ['grete+a@live.com', 'GRETE+b@live.com', 'jane@live.com'];
    const { id } = await submit(list);
    await verifyOn(app);
    expect(await jobOf(app, key, id)).toMatchObject({ status: 'running', processed: 1 });
    app.clock.advance(6 * 60_000);
    await workOn(app);
    expect(await jobOf(app, key, id)).toMatchObject({ status: 'completed', usage: { charged: 2 } });
    expect(await resultsOf(app, key, id)).toMatchObject([
      { email: list[0], reason: 'accepted_email', duplicate_of: null },
      { email: list[1], reason: 'accepted_email', duplicate_of: list[0] },
      { email: list[2], duplicate_of: null },
    ]);
  });

  it('deletes the stored facts of its addresses with the list', async () => {
    const { id } = await verified([FIRST, 'jane@gmail.com']);
    const cached = async () => {
      const answer = await app.get(`/v1/verify?email=${FIRST}`, key);
      return (answer.body as VerdictResponse).cached;
    };
    expect(await cached()).toBe(true);
    expect((await app.request('delete', `/v1/bulk-jobs/${id}`, key)).status).toBe(204);
    await upkeepOf(app).deleteDue();
    expect(await cached()).toBe(false);
  });

  it('erases all addresses of a mailbox with one of them, and only that address from other lists', async () => {
    const list = ['z.oe@gmail.com', 'zoe+news@googlemail.com', 'ghost@gmail.com', 'zoe@gmail.com'];
    const canonical = await verified(list);
    const exact = await verified(list, null);
    const erasure = app.service.app.get(ListErasureService);
    expect(await erasure.eraseAddress('zoe@googlemail.com')).toMatchObject({ rows: 3, runningJobs: [] });
    const left = await resultsOf(app, key, canonical.id);
    expect(left.map(({ email }) => email)).toEqual(['', '', 'ghost@gmail.com', '']);
    expect((await resultsOf(app, key, exact.id)).map(({ email }) => email)).toEqual(list);
    expect(await erasure.eraseAddress('Z.oe@gmail.com')).toMatchObject({ rows: 1 });
  });

  it.each([
    ['before', (emails: readonly string[]) => ({ unique: 'canonical', emails })],
    ['after', (emails: readonly string[]) => ({ emails, unique: 'canonical' })],
  ])('can be asked for in a JSON body, %s the addresses', async (_, bodyOf) => {
    const others = Array.from({ length: 1_100 }, (_, n) => `no address ${n}`);
    const sent = await app
      .post('/v1/verify/bulk', key)
      .send(bodyOf([FIRST, '', ...others, 'jane@gmail.com']));
    expect([sent.status, sent.body]).toMatchObject([
      202,
      { unique_by: 'canonical', total: 1_103, empty: 1, unique: 1_101, duplicates: 1 },
    ]);
    await workOn(app);
    const { id } = sent.body as BulkJobResponse;
    const rows = await resultsOf(app, key, id);
    expect(rows.at(-1)).toMatchObject({ email: 'jane@gmail.com', duplicate_of: FIRST });
    expect(rows.at(1)).toMatchObject({ email: '', status: null });
  });

  it('is refused with another value', async () => {
    const send = (query: string, body: object) => app.post(`/v1/verify/bulk${query}`, key).send(body);
    const emails = ['jane@gmail.com'];
    const problem = expectProblem(await send('', { emails, unique: 'mailbox' }), 400, 'invalid_request');
    expect(problem).toMatchObject({ errors: [{ pointer: '/unique' }] });
    expectProblem(await send('?unique=mailbox', { emails }), 400, 'invalid_request');
  });
});
