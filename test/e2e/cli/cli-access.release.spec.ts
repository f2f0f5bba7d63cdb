import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { SignupResponse } from '../../../src/modules/accounts/accounts/sign-up/signup.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { auditActionsOf, rowsOf } from '../../support/app/joins.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

const EX_USAGE = 64;

describe('the operator', () => {
  let app: TestApp;
  let owner: NewAccount;

  beforeAll(async () => {
    app = await anApp({ SIGNUP: 'open' });
  });
  beforeEach(async () => {
    owner = await app.anAccount();
  });
  afterAll(() => app.stop());

  const rcpt = async (...args: string[]) => {
    const { code, out, err } = await runRcpt([...args, '--json'], app.shared);
    return { code, err, said: (out === '' ? {} : JSON.parse(out)) as Record<string, string> };
  };
  const keyOf = async (key: string) =>
    ((await app.get('/v1/me', key)).body as { key: { id: string } }).key.id;
  const status = async (key: string) => (await app.get('/v1/me', key)).status;
  const emailOf = async (id: string) =>
    (
      await rowsOf<{ email: string; at: Date | null }>(
        app,
        'SELECT email, confirmed_at AS at FROM users WHERE id = $1',
        [id],
      )
    )[0];

  it('replaces a key with keys rotate, and lets the old one live as long as chosen', async () => {
    const made = await app.post('/v1/keys', owner.liveKey).send({ name: 'import' });
    const { id, key } = made.body as { id: string; key: string };
    const { code, said } = await rcpt('keys', 'rotate', id, '--grace', '60');
    expect([code, said.name, await status(said.key ?? ''), await status(key)]).toEqual([
      0,
      'import',
      200,
      200,
    ]);
    const again = await rcpt('keys', 'rotate', said.id ?? '');
    app.clock.advance(60_001);
    expect([await status(key), await status(said.key ?? ''), await status(again.said.key ?? '')]).toEqual([
      ...[401, 401, 200],
    ]);
    expect((await rcpt('keys', 'rotate', said.id ?? '')).code).toBe(EX_USAGE);
    expect((await rcpt('keys', 'rotate', await keyOf(owner.liveKey), '--grace', '2592001')).code).toBe(
      EX_USAGE,
    );
  });

  it('confirms a user with users confirm, unless the address belongs to another member', async () => {
    const answer = await app.post('/signup').send({ email: 'ada@example.com', team_name: 'Ada' });
    const { user, team } = answer.body as SignupResponse;
    expect((await rcpt('users', 'confirm', user.id)).code).toBe(0);
    expect((await emailOf(user.id))?.at).toBeInstanceOf(Date);
    expect(await auditActionsOf(app, team.id)).toContain('account.confirmed');
    await rowsOf(app, 'UPDATE users SET confirmed_at = NULL, email = $2 WHERE id = $1', [
      user.id,
      owner.user.email,
    ]);
    expect(await rcpt('users', 'confirm', user.id)).toMatchObject({
      code: EX_USAGE,
      err: expect.stringContaining('Another confirmed user has this address'),
    });
    expect((await rcpt('users', 'confirm', 'usr_none')).code).toBe(EX_USAGE);
  });

  it('gives the owner of the first start an address with users address', async () => {
    await rowsOf(app, `UPDATE users SET email = 'owner@localhost' WHERE id = $1`, [owner.user.id]);
    const { code } = await rcpt('users', 'address', owner.user.id, ' me@b\u00fccher.example ');
    expect([code, (await emailOf(owner.user.id))?.email]).toEqual([0, 'me@xn--bcher-kva.example']);
    expect(await auditActionsOf(app, owner.team.id)).toContain('user.address_changed');
    const other = await app.anAccount();
    expect(await rcpt('users', 'address', other.user.id, 'ME@b\u00fccher.example')).toMatchObject({
      code: EX_USAGE,
      err: expect.stringContaining('Another confirmed user has this address'),
    });
    expect((await rcpt('users', 'address', other.user.id, 'nonsense')).code).toBe(EX_USAGE);
  });
});
