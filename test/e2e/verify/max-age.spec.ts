import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { VerdictResponse } from '../../../src/modules/verification/verification/single/verification.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aPublishableKey, Visitor } from '../../support/app/publishable.js';
import { workOn } from '../../support/app/bulk.js';
import { expectProblem } from '../../support/http/problems.js';
import { plain } from '../../support/mail/mail-scene.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const JANE = 'jane@plain.mailworld';
const HOUR = 3_600_000;

describe('max_age', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;

  beforeAll(async () => {
    const scene = { domain: 'plain.mailworld', servers: [plain], story: '', expect: {} };
    world = await MailWorld.start({ scenes: [scene] });
    app = await anApp(world.env);
  });
  beforeEach(async () => {
    account = await app.anAccount();
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const verify = async (more = '') =>
    (await app.get(`/v1/verify?email=${JANE}${more}`, account.liveKey)).body as VerdictResponse;
  const inBody = async (body: object) =>
    (await app.post('/v1/verify', account.liveKey).send({ email: JANE, ...body })).body as VerdictResponse;
  const recipients = () => world.server('plain.mailworld').commandsOf('RCPT').length;

  it('uses stored facts up to that age, and probes again beyond it', async () => {
    await verify();
    app.clock.advance(2 * HOUR);
    const stored = await verify('&max_age=7260');
    expect(stored.cached).toBe(true);
    expect(stored.age_seconds).toBeGreaterThanOrEqual(7_200);
    expect(stored.age_seconds).toBeLessThanOrEqual(7_260);
    expect(await inBody({ max_age: 7_260 })).toMatchObject({ cached: true });
    expect(await verify('&max_age=7199')).toMatchObject({ cached: false, age_seconds: 0 });
    app.clock.advance(HOUR);
    expect(await inBody({ max_age: 3_599 })).toMatchObject({ cached: false });
    expect(await verify()).toMatchObject({ cached: true });
  });

  it('of 0 is refresh, which probes an address at most once a minute', async () => {
    await verify();
    app.clock.advance(59_000);
    expect(await verify('&max_age=0')).toMatchObject({ cached: true });
    app.clock.advance(1_000);
    expect(await verify('&max_age=0')).toMatchObject({ cached: false });
    app.clock.advance(HOUR);
    // The smaller age applies.
    expect(await verify('&max_age=86400&refresh=true')).toMatchObject({ cached: false });
  });

  it.each([
    ['a JSON body', true],
    ['the query of a CSV', false],
  ])('applies to the addresses of a list, from %s', async (_, isJson) => {
    await verify();
    app.clock.advance(2 * HOUR);
    for (const [maxAge, probes] of [
      // The clock of this service goes on while the list waits.
      [7_260, 0],
      [7_199, 1],
    ] as const) {
      const before = recipients();
      const sent = isJson
        ? await app.post('/v1/verify/bulk', account.liveKey).send({ emails: [JANE], max_age: maxAge })
        : await app
            .post(`/v1/verify/bulk?max_age=${maxAge}`, account.liveKey)
            .set('content-type', 'text/csv')
            .send(`email\n${JANE}\n`);
      expect(sent.status).toBe(202);
      await workOn(app);
      expect(recipients() - before > 0).toBe(probes > 0);
    }
  });

  it('has a minimum in a tier without refresh, below which a call is 402', async () => {
    const { liveKey, testKey } = await app.anAccount('free');
    const get = (age: number, key = liveKey) => app.get(`/v1/verify?email=${JANE}&max_age=${age}`, key);
    const problem = expectProblem(await get(86_399), 402, 'upgrade_required');
    expect(problem).toMatchObject({ feature: 'refresh', required_tier: 'starter' });
    const body = { emails: [JANE], max_age: 0 };
    expectProblem(await app.post('/v1/verify', liveKey).send(body), 402, 'upgrade_required');
    expect((await get(86_400)).status).toBe(200);
    expect((await get(0, testKey)).status).toBe(200);
  });

  it('is 400 out of bounds, and needs a secret key', async () => {
    for (const age of ['-1', '1.5', '31536001', 'x'])
      expectProblem(
        await app.get(`/v1/verify?email=${JANE}&max_age=${age}`, account.liveKey),
        400,
        'invalid_request',
      );
    for (const max_age of [-1, 1.5, 31_536_001, '60', true]) {
      const refused = [
        await app.post('/v1/verify', account.liveKey).send({ email: JANE, max_age }),
        await app.post('/v1/verify/bulk', account.liveKey).send({ emails: [JANE], max_age }),
      ];
      for (const answer of refused) {
        expect(expectProblem(answer, 400, 'invalid_request')).toMatchObject({
          errors: [{ pointer: '/max_age' }],
        });
      }
    }
    const { key } = await aPublishableKey(app, account.liveKey);
    const visitor = new Visitor(app, key, '192.0.2.1');
    expectProblem(await visitor.verify(JANE, '&max_age=60'), 403, 'secret_key_required');
    expectProblem(await visitor.post({ email: JANE, max_age: 60 }), 403, 'secret_key_required');
  });
});
