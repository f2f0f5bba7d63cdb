import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { NewAccount } from '../../../src/modules/accounts/accounts.service.js';
import type { AccuracyResponse } from '../../../src/modules/outcomes/outcomes.dto.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { MailWorld } from '../../support/mail/mail-world.js';

/** The events of a source find verdicts that are still stored, of a team that has reported nothing before. */
describe('the first events of a source', () => {
  let world: MailWorld;
  let app: TestApp;
  let account: NewAccount;
  let path: string;
  beforeAll(async () => {
    world = await MailWorld.start();
    app = await anApp(world.env);
  });
  beforeEach(async () => {
    account = await app.anAccount();
    const source = await app.post('/v1/outcome-sources', account.liveKey).send({ kind: 'sparkpost' });
    path = new URL((source.body as { url: string }).url).pathname;
  });
  afterAll(async () => {
    await app.stop();
    await world.stop();
  });

  const verify = (email: string) => app.get(`/v1/verify?email=${email}`, account.liveKey).expect(200);
  const delivery = (email: string, message: number) => ({
    msys: { message_event: { type: 'delivery', rcpt_to: email, message_id: String(message) } },
  });
  const send = (events: object[]) => app.post(path).send(JSON.stringify(events));
  const deliveredOf = async (reason: string) => {
    const answer = await app.get('/v1/accuracy', account.liveKey);
    const { data } = answer.body as AccuracyResponse;
    return data.find((row) => row.reason === reason)?.delivered;
  };

  it('are stored when more requests than connections of the pool arrive together', async () => {
    const emails = Array.from({ length: 20 }, (_, n) => `person${n}@people.mailworld`);
    for (const email of emails) await verify(email);
    const answers = await Promise.all(emails.map((email, n) => send([delivery(email, n)])));
    expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 200));
    expect(await deliveredOf('accepted_email')).toBe(20);
  });

  it('are stored when one request has more than one statement stores', async () => {
    await verify('person0@people.mailworld');
    const others = Array.from({ length: 250 }, (_, n) => delivery(`nobody${n}@people.mailworld`, n));
    const answer = await send([...others, delivery('person0@people.mailworld', 250)]);
    expect([answer.status, answer.body]).toMatchObject([200, { stored: 251 }]);
    expect(await deliveredOf('accepted_email')).toBe(1);
  });
});
