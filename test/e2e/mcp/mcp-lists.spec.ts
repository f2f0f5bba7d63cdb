import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { workOn } from '../../support/app/bulk.js';
import { MailWorld } from '../../support/mail/mail-world.js';
import { calling, mcpOverHttp } from '../../support/mcp/mcp-client.js';
import { mailboxes } from '../../support/smtp/smtp-behaviours.js';

const plain = mailboxes('jane');
const SCENES = [
  {
    domain: 'shy.mailworld',
    story: 'greylists everybody, always',
    servers: [{ ...plain, rcpt: () => '450 4.2.0 Greylisted, see http://postgrey.schweikert.ch/' }],
    expect: {},
  },
  { domain: 'plain.mailworld', story: 'replies', servers: [plain], expect: {} },
];

describe('a list of an assistant whose mail servers defer rows', () => {
  let world: MailWorld;
  let app: TestApp;
  beforeAll(async () => {
    world = await MailWorld.start({ scenes: SCENES });
    app = await anApp({ ...world.env, PUBLIC_URL: 'https://rcpt.example', BULK_DEADLINE: '30m' });
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  it('is returned by get_list with the deferred rows and their next attempt, as by the API', async () => {
    const { liveKey } = await app.anAccount();
    const client = await mcpOverHttp(app.url, liveKey);
    const emails = ['jane@shy.mailworld', 'joe@shy.mailworld', 'jane@plain.mailworld'];
    const { id } = await calling<{ id: string }>(client, 'verify_list', { emails });
    await workOn(app);
    const list = await calling<object>(client, 'get_list', { id });
    await client.close();
    expect(list).toMatchObject({ status: 'running', processed: 1, deferred: 2 });
    const response = await app.get(`/v1/bulk-jobs/${id}`, liveKey);
    expect(list).toEqual(response.body);
    expect(list).toMatchObject({ next_attempt_at: expect.any(String), deferred_until: expect.any(String) });
  });
});
