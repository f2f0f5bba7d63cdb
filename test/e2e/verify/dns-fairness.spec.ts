import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Lifecycle } from '../../../src/kernel/service-state/lifecycle.js';
import { Engine } from '../../../src/engine/engine.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, workOn } from '../../support/app/bulk.js';
import { MailWorld } from '../../support/mail/mail-world.js';

/** Longer than any call here, so that an unanswered query holds its slot. */
const DNS_TIMEOUT_MS = '60000';
const CALLS = 200;
/** `unlimited` allows 200 calls in flight, each with one MX query. */
const SLOTS = 100;

describe('name servers that do not answer one team’s queries', () => {
  let world: MailWorld;
  let app: TestApp;
  const calls: Promise<unknown>[] = [];

  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp({ ...world.env, DNS_TIMEOUT_MS }, { graceMs: 0 });
  });
  afterAll(async () => {
    app.service.app.get(Lifecycle).drain();
    await Promise.all(calls);
    await app.stop();
    await world.stop();
  });

  const silentNamesAsked = () =>
    new Set(world.dns.questions.map(({ name }) => name).filter((name) => name.startsWith('silent-'))).size;

  it('do not affect other teams: their calls and lists are answered as usual', async () => {
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

describe('the requester of a query', () => {
  let world: MailWorld;
  let app: TestApp;
  let engine: jest.Spied<Engine['verify']>;

  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp(world.env);
    engine = jest.spyOn(app.service.app.get(Engine), 'verify');
  });
  afterEach(() => void engine.mockClear());
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const requesters = () => engine.mock.calls.map(([, , , requester]) => requester);

  it('is the team, with the priority of a single call or a list row', async () => {
    const { liveKey, team } = await app.anAccount();
    await app.get('/v1/verify?email=jane@plain.mailworld', liveKey);
    expect(requesters()).toEqual([{ team: team.id, priority: 'single' }]);
    engine.mockClear();
    await aBulkJob(app, liveKey, ['ghost@plain.mailworld']);
    await workOn(app);
    expect(requesters()).toMatchObject([
      { team: team.id, priority: 'list', route: { route: { kind: 'hosts' } } },
    ]);
  });
});
