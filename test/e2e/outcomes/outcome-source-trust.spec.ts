import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { NewAccount } from '../../../src/modules/accounts/accounts/accounts.service.js';
import type { SourceKind } from '../../../src/modules/events/outcome-intake/domain/providers/providers.js';
import { SnsEndpoint } from '../../../src/modules/events/outcome-intake/domain/sns-endpoint.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { PROVIDER_EVENTS } from '../../support/outcomes/provider-events.js';
import {
  amazon,
  CERTIFICATE_URL,
  NOW,
  SECONDS,
  SECRETS,
  SIGNERS,
  snsMessage,
  type Signed,
} from '../../support/outcomes/source-signers.js';

describe('an event that the provider did not sign', () => {
  let app: TestApp;
  let account: NewAccount;
  const fetched = jest.fn<SnsEndpoint['get']>();
  beforeAll(async () => {
    app = await anApp();
    app.clock.standAt(NOW);
    jest.spyOn(app.service.app.get(SnsEndpoint, { strict: false }), 'get').mockImplementation(fetched);
  });
  beforeEach(async () => {
    account = await app.anAccount();
    fetched.mockReset().mockResolvedValue(amazon.cert);
  });
  afterAll(() => app.stop());

  const add = async (kind: SourceKind) => {
    const body = { kind, secret: SECRETS[kind] };
    return app.post('/v1/outcome-sources', account.liveKey).send(body);
  };
  const urlOf = async (kind: SourceKind) => new URL(((await add(kind)).body as { url: string }).url).pathname;
  const send = (path: string, { body, headers }: Signed) =>
    app.post(path).set('Content-Type', 'application/json').set(headers).send(body);
  const changed = ({ body, headers }: Signed, members: object): Signed => ({
    body: JSON.stringify({ ...(JSON.parse(body) as object), ...members }),
    headers,
  });
  const stored = () =>
    app.service.app
      .get(DataSource)
      .query<unknown[]>('SELECT 1 FROM outcomes UNION ALL SELECT 1 FROM outcome_source_tokens');

  it.each<[string, object]>([
    ['has no signature', { Signature: undefined }],
    ['has a signature of another kind', { Signature: 7 }],
    ['has an unknown version', { SignatureVersion: '3' }],
    ['has no certificate', { SigningCertURL: undefined }],
    ['is old', { Timestamp: '2026-11-19T11:00:00Z' }],
    ['has no time', { Timestamp: undefined }],
    ['is of an unknown type', { Type: 'UnsubscribeConfirmation' }],
    ['has lines in a name', { TopicArn: 'arn\nType\nNotification' }],
    ['names another path', { SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/?Action=ListTopics' }],
    ['names another file', { SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/other-1.pem' }],
    ['names a folder', { SigningCertURL: CERTIFICATE_URL.replace('.com/', '.com/a/') }],
    ['adds a query', { SigningCertURL: `${CERTIFICATE_URL}?x=1` }],
    ['adds a fragment', { SigningCertURL: `${CERTIFICATE_URL}#x` }],
    ['names a port', { SigningCertURL: CERTIFICATE_URL.replace('.com/', '.com:444/') }],
  ])('of Amazon is refused before anything is fetched if it %s', async (_, members) => {
    const path = await urlOf('ses');
    const answer = await send(path, changed(SIGNERS.ses(PROVIDER_EVENTS.ses[0]), members));
    expect([answer.status, (answer.body as { code: string }).code]).toEqual([401, 'invalid_event_signature']);
    expect(fetched).not.toHaveBeenCalled();
    expect(await stored()).toEqual([]);
  });

  it('of Amazon is refused if the certificate that it names does not exist', async () => {
    const path = await urlOf('ses');
    fetched.mockResolvedValue(null);
    const forged = changed(SIGNERS.ses(PROVIDER_EVENTS.ses[0]), {
      SigningCertURL: CERTIFICATE_URL.replace('-1', '-0'),
    });
    expect((await send(path, forged)).status).toBe(401);
    fetched.mockRejectedValue(new Error('unreachable'));
    expect((await send(path, forged)).status).toBe(503);
    expect(await stored()).toEqual([]);
  });

  it('of Amazon confirms nothing but a subscription', async () => {
    const path = await urlOf('ses');
    for (const url of ['https://sns.eu-west-1.amazonaws.com/?Action=DeleteTopic', CERTIFICATE_URL]) {
      const message = snsMessage({
        Type: 'SubscriptionConfirmation',
        MessageId: '1',
        TopicArn: 'arn:aws:sns:eu-west-1:123456789012:bounces',
        Message: 'You have chosen to subscribe',
        Timestamp: NOW,
        Token: 't',
        SubscribeURL: url,
      });
      expect((await send(path, message)).status).toBe(401);
    }
    expect(fetched.mock.calls.map(([url]) => url).filter((url) => url !== CERTIFICATE_URL)).toEqual([]);
  });

  it.each([
    ['e0', 'e0'],
    ['5', '5'],
    ['.', '.'],
  ])('of Mailgun is refused if %j is moved from the token to the time', async (_, start) => {
    const path = await urlOf('mailgun');
    const token = start + 'a'.repeat(50 - start.length);
    const signature = createHmac('sha256', SECRETS.mailgun ?? '')
      .update(SECONDS + token)
      .digest('hex');
    const event = PROVIDER_EVENTS.mailgun[0];
    const bodyOf = (signed: object) => JSON.stringify({ signature: signed, 'event-data': event });
    const moved = { timestamp: SECONDS + start, token: token.slice(start.length), signature };
    expect((await send(path, { body: bodyOf(moved), headers: {} })).status).toBe(401);
    expect(await stored()).toEqual([]);
  });

  it('of SendGrid or Resend is refused if its time is no number of seconds', async () => {
    for (const kind of ['sendgrid', 'resend'] as const) {
      const path = await urlOf(kind);
      for (const time of [`${SECONDS}.0`, `+${SECONDS}`, `${SECONDS}e0`]) {
        expect((await send(path, SIGNERS[kind](PROVIDER_EVENTS[kind][0], time))).status).toBe(401);
      }
      expect((await send(path, SIGNERS[kind](PROVIDER_EVENTS[kind][0]))).status).toBe(200);
    }
  });

  it('does not come from one of more than 20 sources, however they are added', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => add('ses')));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(409)]).toEqual([20, 20]);
  });
});
