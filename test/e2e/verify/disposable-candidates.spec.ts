import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { DisposableService } from '../../../src/modules/verification/disposable/disposable.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { plain, type MailScene } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { runRcpt, type CommandResult } from '../../support/processes/run-rcpt.js';

/** Their mail servers belong to a listed provider. */
const CUSTOMERS = ['fresh', 'second', 'decided', 'refused'].map((name): MailScene => ({
  domain: `${name}.mailworld`,
  story: 'its mail server is one of mailinator.com',
  servers: [plain],
  hosts: [`${name}.mailinator.com`],
  expect: {},
}));

interface Pending {
  id: string;
  domain: string;
  team_id: string | null;
  mx_host: string | null;
  times_seen: number;
}

let world: MailWorld;
let app: TestApp;
let account: NewAccount;

beforeAll(async () => {
  world = await MailWorld.start({ scenes: CUSTOMERS });
  app = await anApp(world.env);
  account = await app.anAccount();
});
afterAll(async () => {
  await app.stop();
  await world.stop();
});

const rcpt = (...args: string[]): Promise<CommandResult> => runRcpt(['disposable', ...args], app.shared);

async function answerOf<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await rcpt(...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as T;
}

async function verify(email: string): Promise<VerdictResponse> {
  return (await app.get(`/v1/verify?email=${email}`, account.liveKey)).body as VerdictResponse;
}

/** Verifies the addresses and flushes the candidates. */
async function notice(...emails: string[]): Promise<void> {
  for (const email of emails) expect(await verify(email)).toMatchObject({ checks: { disposable: false } });
  await app.service.app.get(DisposableService, { strict: false }).onApplicationShutdown();
}

const disposable = () => app.service.app.get(DisposableService, { strict: false });
const pending = async (domain: string) =>
  (await disposable().pending()).filter((override) => override.domain === domain);

describe('a domain whose mail servers belong to a listed provider', () => {
  it('is proposed to the operator once, with mail server and count, and stays not disposable', async () => {
    await notice('jane@fresh.mailworld', 'ghost@fresh.mailworld');
    await notice('john@fresh.mailworld');
    const [proposed, ...more] = await answerOf<Pending[]>('pending');
    expect(more).toEqual([]);
    expect(proposed).toMatchObject({
      verdict: 'disposable',
      status: 'pending',
      team_id: null,
      mx_host: 'fresh.mailinator.com',
      times_seen: 3,
      last_seen_at: expect.stringMatching(/Z$/),
    });
    expect((await verify('jane@fresh.mailworld')).reason).toBe('accepted_email');
    const counted = await app.get('/v1/admin/disposable/pending', account.liveKey);
    expect(counted.body).toEqual({ pending: 0 });
  }, 30_000);

  it('is disposable for all once merged, and no longer pending', async () => {
    await notice('jane@second.mailworld');
    const [proposed] = await pending('second.mailworld');
    await disposable().merge(proposed?.id ?? '');
    expect(await verify('jane@second.mailworld')).toMatchObject({
      reason: 'disposable',
      list_match: { scope: 'global', pattern: 'second.mailworld', source: 'operator' },
    });
    expect(await pending('second.mailworld')).toEqual([]);
  }, 30_000);

  it('is not proposed again once rejected', async () => {
    await notice('jane@refused.mailworld');
    expect(await answerOf('merge', 'Refused.mailworld', '--reject')).toMatchObject([{ status: 'rejected' }]);
    await notice('ghost@refused.mailworld');
    expect(await pending('refused.mailworld')).toEqual([]);
    expect((await verify('jane@refused.mailworld')).reason).toBe('accepted_email');
  }, 30_000);

  it('is not proposed when the operator has an override', async () => {
    await answerOf('add', 'decided.mailworld', '--not', '--note', 'a customer of ours');
    app.clock.advance(5_000);
    await notice('jane@decided.mailworld');
    expect(await pending('decided.mailworld')).toEqual([]);
  }, 30_000);
});

describe('merge', () => {
  it('without arguments merges the engine’s candidates only; overrides of teams must be named', async () => {
    await notice('jane@fresh.mailworld');
    const claim = { domain: 'claimed.example', verdict: 'disposable' };
    await app.post('/v1/admin/disposable', account.liveKey).send(claim).expect(201);
    const merged = await answerOf<Pending[]>('merge');
    expect(merged.map(({ domain }) => domain)).toEqual(['fresh.mailworld']);
    expect(await pending('fresh.mailworld')).toEqual([]);
    expect(await pending('claimed.example')).toHaveLength(1);
    const [claimed] = await pending('claimed.example');
    await disposable().reject(claimed?.id ?? '');
    const own = await app.get('/v1/admin/disposable', account.liveKey);
    expect(own.body).toMatchObject({ data: [{ domain: 'claimed.example', status: 'rejected' }] });
  }, 30_000);

  it('refuses a domain with different overrides of teams', async () => {
    const other = await app.anAccount();
    for (const [key, verdict] of [
      [account.liveKey, 'disposable'],
      [other.liveKey, 'not_disposable'],
    ] as const) {
      const claim = { domain: 'disputed.example', verdict };
      await app.post('/v1/admin/disposable', key).send(claim).expect(201);
    }
    expect(await rcpt('merge', 'disputed.example')).toMatchObject({
      code: 64,
      err: expect.stringContaining('several teams have different overrides'),
    });
    const theirs = (await pending('disputed.example')).find(({ teamId }) => teamId === other.team.id);
    expect(await disposable().merge(theirs?.id ?? '')).toMatchObject({ verdict: 'not_disposable' });
  }, 30_000);
});

describe('show', () => {
  it('lists the sources of a domain with version and license, and the result', async () => {
    expect(await answerOf('show', 'a.Mailinator.com')).toMatchObject({
      domain: 'a.mailinator.com',
      disposable: true,
      decided_by: 'lists',
      operator: null,
      mentions: [
        {
          pattern: 'mailinator.com',
          agree: 2,
          of: 2,
          believed: true,
          sources: [
            { name: expect.stringMatching(/^mailchecker \d/), licence: 'MIT', read_at: null },
            { licence: 'CC0-1.0', read_at: null },
          ],
        },
      ],
    });
    await disposable().addForOperator({ domain: 'mailinator.com', verdict: 'not_disposable', note: null });
    const { out } = await rcpt('show', 'mailinator.com');
    expect(out).toMatch(
      /^mailinator\.com is not disposable\n {2}the operator: mailinator\.com is not_disposable\n/,
    );
  }, 30_000);
});
