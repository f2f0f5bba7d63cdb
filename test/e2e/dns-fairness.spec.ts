import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Lifecycle } from '../../src/kernel/lifecycle.js';
import { EngineService } from '../../src/modules/verification/engine.service.js';
import { anApp, type TestApp } from '../support/app.js';
import { aBulkJob, jobOf, workOn } from '../support/bulk.js';
import { MailWorld } from '../support/mail-world.js';

/** Longer than any call here: a silent name holds its slot to the end. */
const DNS_TIMEOUT_MS = '60000';
const CALLS = 200;
/** `unlimited` has 200 calls in flight, each with one question for its mail exchangers. */
const SLOTS = 100;

describe('name servers that keep silent for one team', () => {
  let world: MailWorld;
  let app: TestApp;
  const calls: Promise<unknown>[] = [];

  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp({ ...world.env, DNS_TIMEOUT_MS });
  });
  afterAll(async () => {
    app.service.app.get(Lifecycle).drain(0);
    await Promise.all(calls);
    await app.stop();
    await world.stop();
  });

  const silentNamesAsked = () =>
    new Set(world.dns.questions.map(({ name }) => name).filter((name) => name.startsWith('silent-'))).size;

  it('cost no other team a verdict: its calls and its lists are answered as ever', async () => {
    const attacker = await app.anAccount();
    const victim = await app.anAccount();
    for (let n = 0; n < CALLS; n += 1) {
      const domain = `silent-${n}.mailworld`;
      world.dns.set(domain, { behaviour: 'silent' });
      const call = app.get(`/v1/verify?email=jane@${domain}&timeout=30`, attacker.liveKey);
      calls.push(call.catch(() => undefined));
    }
    await world.dns.until(() => silentNamesAsked() === SLOTS);

    const single = await app.get('/v1/verify?email=jane@plain.mailworld', victim.liveKey);
    expect(single.body).toMatchObject({ status: 'deliverable', reason: 'accepted_email' });
    const { id } = await aBulkJob(app, victim.liveKey, ['joe@plain.mailworld', 'ghost@plain.mailworld']);
    await workOn(app);
    expect(await jobOf(app, victim.liveKey, id)).toMatchObject({
      status: 'completed',
      by_status: { undeliverable: 2 },
    });
    expect(silentNamesAsked()).toBe(SLOTS);
  });
});

describe('whoever has a question', () => {
  let world: MailWorld;
  let app: TestApp;
  let engine: jest.Spied<EngineService['examine']>;

  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp(world.env);
    engine = jest.spyOn(app.service.app.get(EngineService), 'examine');
  });
  afterEach(() => void engine.mockClear());
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const requesters = () => engine.mock.calls.map(([, , , requester]) => requester);

  it('is its team, with a call of its own or with a row of a list', async () => {
    const { liveKey, team } = await app.anAccount();
    await app.get('/v1/verify?email=jane@plain.mailworld', liveKey);
    expect(requesters()).toEqual([{ owner: team.id, priority: 'single' }]);
    engine.mockClear();
    await aBulkJob(app, liveKey, ['ghost@plain.mailworld']);
    await workOn(app);
    expect(requesters()).toEqual([{ owner: team.id, priority: 'list' }]);
  });
});
