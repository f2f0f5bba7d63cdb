import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';

/** The `detail` of an error must be sufficient to correct the request. */
describe('an error says what to send instead', () => {
  let app: TestApp;
  let owner: NewAccount;
  let starter: NewAccount;
  beforeAll(async () => {
    app = await anApp();
    [owner, starter] = await Promise.all([app.anAccount(), app.anAccount('starter')]);
  });
  afterAll(() => app.stop());

  const detailOf = async (path: string, body: object, key = owner.liveKey) =>
    ((await app.post(path, key).send(body)).body as { detail: string }).detail;

  it.each([
    ['/v1/keys', { name: 'a', mode: 'prod' }, '/mode: Send live or test.'],
    ['/v1/keys', { name: 'a', service: 'yes' }, '/service: Send true or false.'],
    ['/v1/keys', { name: 'a', team_id: 7 }, '/team_id: This member is not known. Omit it.'],
    [
      '/v1/keys/key_1/rotate',
      { grace_seconds: 1e9 },
      '/grace_seconds: Send a whole number of seconds from 0 to 2592000 (30 days).',
    ],
    [
      '/v1/admin/disposable',
      { domain: 'example.com', verdict: 'yes' },
      '/verdict: Send one of disposable, not_disposable.',
    ],
    [
      '/v1/verify/bulk',
      { addresses: ['jane@example.com'] },
      '/addresses: This member is not known. Send emails, and optionally name and refresh.',
    ],
    [
      '/v1/verify/bulk',
      { emails: [{ address: 'jane@example.com' }] },
      '/emails/0/address: This member is not known. An entry has email and optionally ref.',
    ],
  ])('%s %j: %s', async (path, body, detail) => {
    expect(await detailOf(path, body)).toBe(detail);
  });

  it('for a list that is too long, or not in UTF-8', async () => {
    const emails = Array.from({ length: 1_001 }, (_, n) => `jane${n}@example.com`);
    expect(await detailOf('/v1/verify/bulk', { emails }, starter.liveKey)).toBe(
      'A job may have at most 1000 rows. Split the list.',
    );
    const latin1 = app.post('/v1/verify/bulk?encoding=utf-8', owner.testKey).set('Content-Type', 'text/csv');
    expect((await latin1.send(Buffer.from('email\nren\xe9@example.com\n', 'latin1'))).body).toMatchObject({
      detail: 'The list is not UTF-8. Convert it to UTF-8 and send it again.',
    });
  });
});
