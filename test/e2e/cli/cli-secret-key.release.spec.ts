import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { SecretKeys } from '../../../src/platform/secrets/secret-keys.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { rowsOf } from '../../support/app/joins.js';
import { expectProblem } from '../../support/http/problems.js';
import { runRcpt } from '../../support/processes/run-rcpt.js';

interface Rotated {
  columns: { table: string; column: string; rows: number; rotated: number; unreadable_ids: string[] }[];
  earlier_keys_may_go: boolean;
}

const aKey = () => randomBytes(32).toString('base64');
const MAIL = { INVITE_SMTP_URL: 'smtp://127.0.0.1:9', INVITE_FROM: 'rcpt@service.example' };
/** More than a batch. */
const MAILS = 120;

describe('rcpt secret-key rotate', () => {
  let app: TestApp;
  let key: string;
  let old: string;
  let fresh: string;
  let inbound: string;

  beforeEach(async () => {
    app = await anApp(MAIL);
    const { liveKey, team } = await app.anAccount();
    [key, old, fresh] = [liveKey, app.shared.SECRET_KEY, aKey()];
    const source = await app
      .post('/v1/outcome-sources', key)
      .send({ kind: 'postmark', secret: 'user:password' });
    inbound = new URL((source.body as { url: string }).url).pathname;
    await app
      .post('/v1/webhooks', key)
      .set('Idempotency-Key', 'once')
      .send({ url: 'https://receiver.example/', events: ['key.created'] })
      .expect(201);
    await app.post('/v1/team/invites', key).send({ email: 'guest@example.com' });
    await app.post('/signin').send({ email: 'guest@example.com' }).expect(202);
    const sealed = new SecretKeys([old]).encrypt('jane@example.com');
    await rowsOf(
      app,
      `INSERT INTO rechecks (id, team_id, address_hash, address, verdict, reason, first_requested_at, due_at)
       VALUES ('rck_1', $1, '\\x00', $2, $2, 'greylisted', now(), now())`,
      [team.id, sealed],
    );
    await rowsOf(
      app,
      `INSERT INTO outgoing_mails (id, kind, team_id, ciphertext, due_at, expires_at)
       SELECT 'inv_' || n, 'invite', $1, $2, now(), now() FROM generate_series(1, ${MAILS}) AS n`,
      [team.id, sealed],
    );
  });
  afterEach(() => app.stop());

  const rotate = async (...keys: string[]) => {
    const env = { ...app.shared, SECRET_KEY: keys.join(',') };
    const { code, out, err } = await runRcpt(['secret-key', 'rotate', '--json'], env);
    expect(err).toBe('');
    return { code, ...(JSON.parse(out) as Rotated) };
  };
  const say = async (...keys: string[]) =>
    runRcpt(['secret-key', 'rotate'], { ...app.shared, SECRET_KEY: keys.join(',') });
  /** Table and column of every value that this key has encrypted, wherever it is. */
  const writtenWith = async (secret: string): Promise<string[]> => {
    const [, id = ''] = new SecretKeys([secret]).encrypt('').split('.');
    const columns = await rowsOf<{ t: string; c: string }>(
      app,
      `SELECT table_name AS t, column_name AS c FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type IN ('text', 'jsonb', 'json', 'character varying')`,
    );
    const found = await Promise.all(
      columns.map(async ({ t, c }) => {
        const rows = await rowsOf(app, `SELECT 1 FROM "${t}" WHERE "${c}"::text LIKE $1 LIMIT 1`, [
          `%v1.${id}.%`,
        ]);
        return rows.length > 0 ? [`${t}.${c}`] : [];
      }),
    );
    return found.flat().sort();
  };
  const event = async (service: TestApp) =>
    service
      .post(inbound)
      .set('Authorization', `Basic ${Buffer.from('user:password').toString('base64')}`)
      .send({ RecordType: 'Delivery', Recipient: 'jane@example.com', MessageID: 'm1' });

  it('leaves nothing that only the old key decrypts, and says when it may go', async () => {
    expect(await writtenWith(old)).toEqual([
      'idempotency_keys.response',
      'outcome_sources.secret',
      'outgoing_mails.ciphertext',
      'rechecks.address',
      'rechecks.verdict',
      'secret_key_check.ciphertext',
      'sign_in_links.ciphertext',
      'webhooks.secrets',
    ]);
    const { code, columns, earlier_keys_may_go: mayGo } = await rotate(fresh, old);
    expect([code, mayGo, await writtenWith(old)]).toEqual([0, true, []]);
    expect(columns.find(({ table }) => table === 'outgoing_mails')).toMatchObject({
      rows: MAILS + 1,
      rotated: MAILS + 1,
    });
    const { out } = await say(fresh, old);
    expect(out).toMatch(/remove the earlier ones\.\n$/);
    const rotated = await anApp({ ...MAIL, ...app.shared, SECRET_KEY: fresh });
    expect((await event(rotated)).status).toBe(200);
    expect((await rotated.get('/v1/webhooks', key)).status).toBe(200);
    await rotated.stop();
  });

  it('goes on where an interrupted run ended', async () => {
    const [{ id } = { id: '' }] = await rowsOf<{ id: string }>(app, 'SELECT id FROM outcome_sources');
    const sealed = new SecretKeys([fresh]).encrypt('user:password');
    await rowsOf(app, 'UPDATE outcome_sources SET secret = $1', [sealed]);
    await rowsOf(app, `UPDATE outgoing_mails SET ciphertext = $1 WHERE id < 'inv_5'`, [sealed]);
    const { columns } = await rotate(fresh, old);
    expect(columns.find(({ table }) => table === 'outcome_sources')).toMatchObject({ rows: 1, rotated: 0 });
    const mails = columns.find(({ table }) => table === 'outgoing_mails');
    expect([mails?.rows, (mails?.rotated ?? 0) < MAILS && (mails?.rotated ?? 0) > 0]).toEqual([
      MAILS + 1,
      true,
    ]);
    expect(await rowsOf(app, 'SELECT id FROM outcome_sources WHERE secret = $1', [sealed])).toEqual([{ id }]);
    expect(await writtenWith(old)).toEqual([]);
  });

  it('names what no key decrypts, and exits with 1', async () => {
    const [{ id } = { id: '' }] = await rowsOf<{ id: string }>(app, 'SELECT id FROM outcome_sources');
    await rowsOf(app, 'UPDATE outcome_sources SET secret = $1', [new SecretKeys([aKey()]).encrypt('x')]);
    const { code, out } = await say(fresh, old);
    expect(code).toBe(1);
    expect(out).toContain(`No key of SECRET_KEY decrypts 1 rows of outcome_sources: ${id}.`);
    expect(await writtenWith(old)).toEqual([]);
  });

  it('with one key says how to begin', async () => {
    const { code, out } = await say(old);
    expect([code, (await rotate(old)).earlier_keys_may_go]).toEqual([0, false]);
    expect(out).toContain('SECRET_KEY has one key.');
  });

  it('a secret whose key is missing is a named error with a line in the log, and hides no other source', async () => {
    await rowsOf(app, 'UPDATE outcome_sources SET secret = $1', [new SecretKeys([aKey()]).encrypt('x')]);
    const refused = await event(app);
    expectProblem(refused, 503, 'secret_unreadable');
    expect(refused.headers['retry-after']).toBe('300');
    expect(app.logged()).toContain('A stored secret cannot be decrypted: SECRET_KEY has no key for it');
    expect((await app.get('/v1/outcome-sources', key)).body).toMatchObject({ data: [{ kind: 'postmark' }] });
  });
});
