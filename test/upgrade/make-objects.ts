import { setImmediate } from 'node:timers/promises';
import type { Test } from 'supertest';
import { ChunkRepository, type LeasedChunk } from '../../src/modules/lists/bulk/domain/chunk.repository.js';
import { BulkVerificationService } from '../../src/modules/lists/bulk/work/bulk-verification.service.js';
import { VerifyChunkService } from '../../src/modules/verification/verification/lists/verify-chunk.service.js';
import { DeliveryRepository } from '../../src/modules/events/webhooks/domain/delivery.repository.js';
import { DisposableService } from '../../src/modules/verification/disposable/disposable.service.js';
import { SignInService } from '../../src/modules/accounts/accounts/sign-in/sign-in.service.js';
import { WebhooksProcessor } from '../../src/modules/events/webhooks/deliveries/webhooks.processor.js';
import { PostgresMailQueue } from '../../src/platform/mail/postgres-mail-queue.js';
import { ScheduledTasks } from '../../src/platform/time/scheduled-tasks.js';
import { aTeam } from '../support/app/a-team.js';
import type { TestApp } from '../support/app/app.js';
import { aBulkJob, jobOf, sendList, workOn } from '../support/app/bulk.js';
import { aPublishableKey, Visitor } from '../support/app/publishable.js';
import { SECRETS } from '../support/outcomes/source-signers.js';
import { leaseOf, workAll } from '../support/queue/team-work.js';
import { answering, WebhookReceiver } from '../support/webhooks/webhook-receiver.js';
import { ok, type Body } from './ok.js';
import { makeLaterObjects } from './make-later-objects.js';
import type { ReleaseRecord } from './release-files.js';
import { mailgunEvent, type ReleaseWorld } from './release-world.js';

type Made = Pick<ReleaseRecord, 'keys' | 'made' | 'repeated'>;

const WORKED = ['jane@one.mailworld', 'ghost@one.mailworld', 'jane@two.mailworld', 'no address'];
/** Verified singly before, so that a list has their results first. */
const STORED = ['jane@one.mailworld', 'ghost@one.mailworld', 'jane@two.mailworld', 'ghost@two.mailworld'];
const RUNNING = [
  ...STORED,
  'no address',
  'jane@three.mailworld',
  'ghost@three.mailworld',
  'joe@two.mailworld',
];

/** Creates every kind of object through the API; the parts of a worker are called one by one. */
export async function makeObjects(app: TestApp, world: ReleaseWorld): Promise<Made> {
  const first = await aTeam(app);
  const second = await app.anAccount('starter');
  const third = await app.anAccount('growth');
  const busy = await app.anAccount('free');
  const { owner, test, member, service } = first;
  const made: Record<string, string> = { busyTeam: busy.team.id, service };
  const keys = { owner, test, member, second: second.liveKey, third: third.liveKey };

  await makeKeys(app, owner);
  await makeTeamParts(app, world, owner, made);
  await makeDomains(app, owner);
  await makeOutcomes(app, owner, made);
  const hooks = await makeWebhooks(app, owner, made);
  await makeBilling(app, world, keys.second);
  await makeGone(app);
  await makeLaterObjects(app, first, made);
  const repeated = await makeLists(app, owner, keys, made);
  await app.dispatchEvents();
  await hooks.send();
  await hooks.stop();
  // Pending: the event after the last attempt, and one that is not dispatched.
  await ok(app.post('/v1/blocklist', owner).send({ domain: 'late.example' }));
  await app.get('/v1/keys/key_none', owner);
  return { keys, made, repeated };
}

async function listOf(app: TestApp, path: string, key: string): Promise<{ data: Body[] }> {
  const list: unknown = await ok(app.get(path, key));
  return list as { data: Body[] };
}

async function makeKeys(app: TestApp, owner: string): Promise<void> {
  await ok(app.post('/v1/keys', owner).send({ name: 'nightly import', expires_at: '2099-01-01T00:00:00Z' }));
  const old = await ok(app.post('/v1/keys', owner).send({ name: 'old server' }));
  await ok(app.delete(`/v1/keys/${old.id}`, owner));
  const { key } = await aPublishableKey(app, owner);
  await ok(new Visitor(app, key, '198.51.100.7').verify('jane@one.mailworld'));
}

async function makeTeamParts(
  app: TestApp,
  world: ReleaseWorld,
  owner: string,
  made: Record<string, string>,
): Promise<void> {
  const invites = (email: string) => app.post('/v1/team/invites', owner).send({ email, role: 'member' });
  made.inviteToken = (await ok(invites('invited@team.example'))).token ?? '';
  const withdrawn = await ok(invites('withdrawn@team.example'));
  await ok(app.delete(`/v1/team/invites/${withdrawn.id}`, owner));
  const mails = app.service.app.get(PostgresMailQueue);
  const visiting = (request: Test) => request.set('X-Forwarded-For', '198.51.100.8');
  await ok(visiting(app.post('/signup')).send({ email: 'new@team.example', team_name: 'New' }));
  const signInToken = async () => {
    await ok(visiting(app.post('/signin')).send({ email: 'owner1@team.example' }));
    await app.service.app.get(SignInService).sendRequested();
    await mails.sendDue();
    return /rcpt_signin_[\w-]{43}/.exec(world.sink.lastText())?.[0] ?? '';
  };
  const signedIn: unknown = await ok(
    visiting(app.post('/signin/confirm')).send({ token: await signInToken() }),
  );
  made.session = (signedIn as { key: { key: string } }).key.key;
  made.signInToken = await signInToken();
  made.signUpToken = /#confirm=(\S+)/.exec(world.sink.texts().join('\n'))?.[1] ?? '';
  // Not sent yet.
  await ok(visiting(app.post('/signup')).send({ email: 'waiting@team.example', team_name: 'Waiting' }));
}

async function makeDomains(app: TestApp, owner: string): Promise<void> {
  await ok(app.post('/v1/blocklist', owner).send({ domain: 'blocked.example', reason: 'bounces' }));
  const overrides = [
    { domain: 'throwaway.example', verdict: 'disposable' },
    { domain: 'partner.example', verdict: 'not_disposable', note: 'our partner' },
  ];
  for (const override of overrides) await ok(app.post('/v1/admin/disposable', owner).send(override));
  // Two candidates for the operator, one of them rejected.
  for (const name of ['fresh', 'stale']) await ok(app.get(`/v1/verify?email=jane@${name}.mailworld`, owner));
  await app.service.app.get(DisposableService, { strict: false }).onApplicationShutdown();
  const { data } = await listOf(app, '/v1/admin/disposable/candidates', owner);
  const stale = data.find(({ domain }) => domain === 'stale.mailworld');
  await ok(app.post(`/v1/admin/disposable/candidates/${stale?.id}/reject`, owner));
}

async function makeOutcomes(app: TestApp, owner: string, made: Record<string, string>): Promise<void> {
  for (const email of [
    'jane@one.mailworld',
    'ghost@one.mailworld',
    'jane@grey.mailworld',
    'jane@google.mailworld',
  ])
    await ok(app.get(`/v1/verify?email=${email}`, owner));
  const at = app.clock.now().toISOString();
  const bounced = { email: 'jane@two.mailworld', outcome: 'bounced', at, reply: '550 5.1.1 User unknown' };
  const reports = [bounced, { email: 'jane@one.mailworld', outcome: 'delivered', at }];
  for (const report of reports) await ok(app.post('/v1/outcomes', owner).send(report));
  const source = { kind: 'mailgun', secret: SECRETS.mailgun };
  const { url = '' } = await ok(app.post('/v1/outcome-sources', owner).send(source));
  made.sourcePath = new URL(url).pathname;
  const json = app.post(made.sourcePath).set('Content-Type', 'application/json');
  await ok(json.send(mailgunEvent(0, app.clock.now()).body));
  await app.service.app.get(ScheduledTasks).run('learn from outcomes');
}

async function makeWebhooks(app: TestApp, owner: string, made: Record<string, string>) {
  const receivers = [
    await WebhookReceiver.start(),
    await WebhookReceiver.start(),
    await WebhookReceiver.start(),
  ];
  const [good, failing, gone] = receivers as [WebhookReceiver, WebhookReceiver, WebhookReceiver];
  failing.behave = answering(500);
  gone.behave = answering(410);
  const add = (url: string, more: object = {}) => ok(app.post('/v1/webhooks', owner).send({ url, ...more }));
  const { id, secret } = await add(good.url, { description: 'our server' });
  Object.assign(made, { webhook: id, webhookSecret: secret });
  await add(failing.url);
  await add(gone.url, { events: ['bulk_job.completed'] });
  const send = async () => {
    const { app: service } = app.service;
    const teams = () => service.get(DeliveryRepository).listWaitingTeams();
    await workAll(service.get(WebhooksProcessor), teams);
  };
  const { data } = await listOf(app, '/v1/webhooks', owner);
  for (const webhook of data) await ok(app.post(`/v1/webhooks/${webhook.id}/test`, owner));
  await send();
  return { send, stop: () => Promise.all(receivers.map((receiver) => receiver.stop())) };
}

async function makeBilling(app: TestApp, { stripe }: ReleaseWorld, key: string): Promise<void> {
  const { url = '' } = await ok(app.post('/v1/billing/subscribe', key).send({ tier: 'growth' }));
  const subscription = stripe.complete(url);
  stripe.bill(subscription.customer, { subscription: subscription.id });
  const { body, signature } = stripe.event('customer.subscription.created', subscription);
  const posted = app.post('/webhooks/stripe').set('Content-Type', 'application/json');
  await ok(posted.set('Stripe-Signature', signature).send(body));
  const run = () => app.service.app.get(ScheduledTasks).run('synchronize subscriptions');
  while ((await run()) > 0);
}

/** A deleted team, whose rows are not deleted yet. */
async function makeGone(app: TestApp): Promise<void> {
  const { liveKey } = await app.anAccount('starter');
  await ok(app.get('/v1/verify?email=jane@one.mailworld', liveKey));
  await ok(app.delete('/v1/team', liveKey));
}

async function makeLists(
  app: TestApp,
  owner: string,
  { test, second }: Record<string, string>,
  made: Record<string, string>,
): Promise<Made['repeated']> {
  const emails = WORKED.map((email, n) => ({ email, ref: `row ${n}` }));
  made.completed = (await aBulkJob(app, owner, emails, { name: 'Newsletter' })).id;
  await aBulkJob(app, test ?? '', ['deliverable@example.com', 'anyone@example.org']);
  const csv = 'name,email\nJane,jane@two.mailworld\nNobody,\nGhost,ghost@two.mailworld\n';
  const sent = await sendList(app, owner, csv, 'text/csv');
  if (sent.status !== 202) throw new Error(JSON.stringify(sent));
  const repeated = { key: 'nightly-import', emails: ['jane@three.mailworld'] };
  const once = app.post('/v1/verify/bulk', owner).set('Idempotency-Key', repeated.key);
  const body: unknown = await ok(once.send({ emails: repeated.emails }));
  await workOn(app);
  made.deferred = (await aBulkJob(app, owner, ['jane+list@grey.mailworld', 'jane@one.mailworld'])).id;
  await workOn(app);

  const chunks = app.service.app.get(ChunkRepository);
  const claim = async () => {
    for (const team of await chunks.listWaitingTeams()) {
      const chunk = await chunks.claim(team);
      if (chunk !== null) return chunk;
    }
    throw new Error('nothing can be claimed');
  };
  const canceled = await aBulkJob(app, owner, ['ghost@two.mailworld'], { refresh: true });
  await claim();
  await ok(app.post(`/v1/bulk-jobs/${canceled.id}/cancel`, owner));
  for (const email of STORED) await ok(app.get(`/v1/verify?email=${email}`, second));
  made.running = (await aBulkJob(app, second ?? '', RUNNING, { name: 'Half done' })).id;
  const isHalf = async () => (await jobOf(app, second ?? '', made.running ?? '')).processed > 0;
  await verifyHalf(app, await claim(), isHalf);
  made.waiting = (await aBulkJob(app, owner, ['jane@three.mailworld', 'ghost@three.mailworld'])).id;
  // By a worker that is killed.
  await claim();
  return { ...repeated, body };
}

/** Records the results that need no network, then fails. */
async function verifyHalf(app: TestApp, chunk: LeasedChunk, isHalf: () => Promise<boolean>): Promise<void> {
  const batches = app.service.app.get(VerifyChunkService);
  const verify = batches.verify.bind(batches);
  batches.verify = async function* (...args) {
    for await (const group of verify(...args)) {
      yield group;
      while (!(await isHalf())) await setImmediate();
      throw new Error('the network is lost');
    }
  };
  const working = leaseOf(app, BulkVerificationService, chunk).work(new AbortController().signal);
  await working.catch(() => undefined);
  batches.verify = verify;
}
