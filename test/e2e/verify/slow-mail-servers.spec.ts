import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { parseEmailAddress } from '../../../src/engine/address/email-address.js';
import { Engine } from '../../../src/engine/engine.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { aBulkJob, jobOf, workOn } from '../../support/app/bulk.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const SECOND = 1_000;

/** The engine and the servers are real; only its timeout is observed. */
describe('at a slow mail server', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  let engine: jest.Spied<Engine['verify']>;

  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp(world.env);
    account = await app.anAccount();
    engine = jest.spyOn(app.service.app.get(Engine), 'verify');
  });
  afterEach(() => void engine.mockClear());
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const timesGiven = () => engine.mock.calls.map(([{ localPart }, , timeoutMs]) => [localPart, timeoutMs]);

  it('a call that is aborted before it begins contacts nobody', async () => {
    const parsed = parseEmailAddress('aborted@plain.mailworld');
    if (!parsed.ok) throw new Error('expected an address');
    const requester = { team: account.team.id, priority: 'single' } as const;
    const started = performance.now();
    const { kind } = await app.service.app
      .get(Engine)
      .verify(parsed.address, null, 10_000, requester, AbortSignal.abort());
    expect(['timed_out', 'probed']).toContain(kind);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(world.server('plain.mailworld').commandsOf('RCPT TO:<aborted')).toEqual([]);
  });

  it('every row of a list has three minutes', async () => {
    const emails = ['jane@plain.mailworld', 'ghost@plain.mailworld'];
    const { id } = await aBulkJob(app, account.liveKey, emails);
    await workOn(app);
    expect(await jobOf(app, account.liveKey, id)).toMatchObject({
      status: 'completed',
      by_status: { deliverable: 1, undeliverable: 1 },
    });
    expect(Object.fromEntries(timesGiven())).toEqual({ jane: 180 * SECOND, ghost: 180 * SECOND });
  });

  it.each([
    ['', 10],
    ['&timeout=7', 7],
    ['&timeout=30', 30],
  ])('a single call has its own timeout%s: %i s', async (timeout, seconds) => {
    const path = `/v1/verify?email=call${seconds}@plain.mailworld${timeout}`;
    expect((await app.get(path, account.liveKey)).status).toBe(200);
    const [[localPart, timeoutMs] = []] = timesGiven();
    expect(localPart).toBe(`call${seconds}`);
    // The time since the request arrived is part of it.
    expect(timeoutMs).toBeLessThanOrEqual(seconds * SECOND);
    expect(timeoutMs).toBeGreaterThan((seconds - 3) * SECOND);
  });
});
