import { ScheduledTasks } from '../../src/platform/time/scheduled-tasks.js';
import { Config } from '../../src/platform/config/config.js';
import type { TestTeam } from '../support/app/a-team.js';
import type { TestApp } from '../support/app/app.js';
import { aHeldJob, previewOn, workOn } from '../support/app/bulk.js';
import { aProof, aPublishableKey } from '../support/app/publishable.js';
import { OAuthRequests } from '../support/oauth/oauth-requests.js';
import { advanceRuns, serve } from '../support/schedules/schedule-app.js';
import { WebhookReceiver } from '../support/webhooks/webhook-receiver.js';
import { ok } from './ok.js';

/** Creates what 0.3.0 added. */
export async function makeLaterObjects(
  app: TestApp,
  team: TestTeam,
  made: Record<string, string>,
): Promise<void> {
  const { owner } = team;
  await makePolicy(app, owner);
  await makeLimitedKey(app, owner, made);
  await makeProofs(app, team, made);
  await makeGrant(app, owner, made);
  await makeHeldLists(app, owner, made);
  await makeSchedules(app, owner, made);
  await ok(app.post('/v1/bulk', owner).send({ input: ['jane@one.mailworld'] }));
  await app.service.app.get(ScheduledTasks).run('check egresses');
}

async function makePolicy(app: TestApp, owner: string): Promise<void> {
  const rules = [
    { id: 'partner', when: { domain: ['partner.example', 'two.mailworld'] }, decision: 'accept' },
    {
      id: 'roles',
      when: { checks: 'role' },
      unless: { tld: 'example' },
      decision: 'review',
      note: 'ask first',
      expires_at: '2099-01-01T00:00:00Z',
    },
  ];
  await ok(app.request('put', '/v1/policy', owner).send({ rules }));
}

async function makeLimitedKey(app: TestApp, owner: string, made: Record<string, string>): Promise<void> {
  const limits = { scopes: ['verify', 'read'], allowed_cidrs: ['127.0.0.0/8', '2001:db8::/32'] };
  const { key = '' } = await ok(app.post('/v1/keys', owner).send({ name: 'limited', ...limits }));
  made.limitedKey = key;
}

/** One is confirmed, the other one is not. */
async function makeProofs(
  app: TestApp,
  { owner, service }: TestTeam,
  made: Record<string, string>,
): Promise<void> {
  const { key } = await aPublishableKey(app, owner, { name: 'newsletter form' });
  const email = 'jane@one.mailworld';
  made.confirmedProof = await aProof(app, key, email, '198.51.100.9');
  made.proof = await aProof(app, key, email, '198.51.100.10');
  await ok(app.post('/v1/proofs/confirm', service).send({ proof: made.confirmedProof, email }));
}

async function makeGrant(app: TestApp, owner: string, made: Record<string, string>): Promise<void> {
  const oauth = new OAuthRequests(app, app.service.app.get(Config).publicUrl);
  made.accessToken = (await oauth.connected(owner)).tokens.access_token;
}

async function makeHeldLists(app: TestApp, owner: string, made: Record<string, string>): Promise<void> {
  const emails = ['jane@one.mailworld', 'Jane@one.mailworld', 'ghost@three.mailworld', 'no address'];
  made.held = (await aHeldJob(app, owner, emails, { name: 'Held', max_age: 3_600 })).id;
  await previewOn(app);
  // Its preview is not made yet.
  made.heldWithoutPreview = (await aHeldJob(app, owner, ['joe@two.mailworld'])).id;
}

/** One with a run that has ended and one that waits; one that has not run, with credentials. */
async function makeSchedules(app: TestApp, owner: string, made: Record<string, string>): Promise<void> {
  const source = await WebhookReceiver.start();
  serve(source, 'email\njane@one.mailworld\nghost@two.mailworld\n');
  const { url } = source;
  const add = (body: object) => ok(app.post('/v1/schedules', owner).send(body));
  const headers = { authorization: 'Bearer of-the-source' };
  const { id } = await add({
    name: 'Customers',
    every: 'day',
    source: { kind: 'url', url, headers },
  });
  made.schedule = id;
  const run = () => ok(app.post(`/v1/schedules/${id}/run`, owner));
  await run();
  await advanceRuns(app);
  await workOn(app);
  await app.dispatchEvents();
  await advanceRuns(app);
  await run();
  await source.stop();
  await add({
    name: 'Newsletter',
    every: 'week',
    enabled: false,
    source: { kind: 'listmonk', url, username: 'rcpt', token: 'of-listmonk', lists: [1] },
    on_result: { listmonk: 'attributes' },
  });
}
