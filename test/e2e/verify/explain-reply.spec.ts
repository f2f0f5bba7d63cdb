import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { ResponseValidator } from '../../support/openapi/response-validator.js';

const PATH = '/v1/replies/explain';

let app: TestApp;
let answers: ResponseValidator;
let keys: { liveKey: string; testKey: string };

beforeAll(async () => {
  app = await anApp();
  answers = await ResponseValidator.published(app);
  keys = await app.anAccount();
});
afterAll(() => app.stop());

const explain = (body: object, key = keys.liveKey) => app.post(PATH, key).send(body);

describe('POST /v1/replies/explain', () => {
  it('tells how the engine reads a reply, with live and test keys', async () => {
    for (const key of [keys.liveKey, keys.testKey]) {
      const answer = await explain({ text: '550 5.1.1 User unknown' }, key);
      answers.expect('POST', PATH, answer);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          category: 'mailbox_not_found',
          about: 'recipient',
          mailbox_state: 'absent',
          rule: 'recipient5xx.absent',
          features: expect.arrayContaining([
            { feature: 'unknown', weight: expect.objectContaining({ absent: expect.any(Number) }) },
          ]),
          unread: [],
        },
      ]);
    }
  });

  it.each([
    [
      { text: '554 5.7.1 blocked', stage: 'banner' },
      { category: 'sender_blocked', about: null },
    ],
    [
      { text: '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org' },
      { category: 'sender_blocked', about: 'sender' },
    ],
    [{ text: '550-5.1.1 No such\r\n550 5.1.1 user', provider: 'google' }, { category: 'mailbox_not_found' }],
    [
      { text: '250 2.1.5 OK', provider: null },
      { category: 'accepted', about: 'recipient' },
    ],
  ])('%j', async (body, expected) => {
    const answer = await explain(body);
    answers.expect('POST', PATH, answer);
    expect(answer.body).toMatchObject(expected);
  });

  it('costs nothing', async () => {
    await explain({ text: '550 5.1.1 User unknown' });
    expect((await app.get('/v1/usage', keys.liveKey)).body).toMatchObject({ total: 0, free: 0 });
  });

  it.each([
    {},
    { text: '' },
    { text: 'User unknown' },
    { text: `550 ${'x'.repeat(2_000)}` },
    { text: '550 no', stage: 'data' },
    { text: '550 no', provider: 'nobody' },
    { text: '550 no', recipient: 'jane@example.com' },
  ])('refuses %j', async (body) => {
    expectProblem(await explain(body), 400, 'invalid_request');
  });
});
