import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { NOW, SECRETS, SIGNERS } from '../../support/outcomes/source-signers.js';

const SECONDS = Date.parse(NOW) / 1_000;

describe('a source of Mandrill', () => {
  let app: TestApp;
  let account: NewAccount;
  let url: string;
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt(NOW);
  });
  beforeEach(async () => {
    account = await app.anAccount();
    url = await add();
  });
  afterAll(() => app.stop());

  const add = async () => {
    const source = { kind: 'mandrill', secret: SECRETS.mandrill };
    const answer = await app.post('/v1/outcome-sources', account.liveKey).send(source);
    return (answer.body as { url: string }).url;
  };
  const send = async (to: string, ...events: readonly [string, string][]) => {
    const list = events.map(([event, email]) => ({
      event,
      _id: `${event} ${email}`,
      ts: SECONDS - 60,
      msg: { email },
    }));
    const { body, headers } = SIGNERS.mandrill(list, undefined, to);
    const answer = await app.post(new URL(to).pathname).set(headers).send(body);
    expect(answer.status).toBe(200);
    return answer.body as { stored: number; ignored: number };
  };

  it('counts a mail that was sent as delivered, until it tells of one that arrived', async () => {
    expect(await send(url, ['send', 'a@example.com'])).toMatchObject({ stored: 1, ignored: 0 });
    expect(await send(url, ['delivered', 'b@example.com'])).toMatchObject({ stored: 1, ignored: 0 });
    expect(await send(url, ['send', 'c@example.com'])).toMatchObject({ stored: 0, ignored: 1 });
    expect(await send(url, ['delivered', 'c@example.com'])).toMatchObject({ stored: 1, ignored: 0 });
  });

  it('knows it from the events of one request', async () => {
    const counts = await send(url, ['send', 'a@example.com'], ['delivered', 'b@example.com']);
    expect(counts).toMatchObject({ stored: 1, ignored: 1 });
  });

  it('knows nothing of another source', async () => {
    await send(url, ['delivered', 'a@example.com']);
    expect(await send(await add(), ['send', 'b@example.com'])).toMatchObject({ stored: 1, ignored: 0 });
  });
});
