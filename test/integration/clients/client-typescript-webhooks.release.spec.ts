import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { WebhookVerificationError } from '../../../clients/typescript/src/errors.js';
import { Webhooks } from '../../../clients/typescript/src/webhooks.js';

describe('a webhook', () => {
  const [secret, old] = ['new', 'old'].map(
    (text) => `whsec_${Buffer.from(text.repeat(11)).toString('base64')}`,
  ) as [string, string];
  const body = '{"type":"webhook.test","timestamp":"2026-11-21T12:00:00Z","data":{"webhook_id":"whk_1"}}';
  const signed = (by: string[], at = new Date()) => ({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': by.map((secret) => new Webhook(secret).sign('evt_1', at, body)).join(' '),
  });
  const seconds = (count: number) => new Date(Date.now() + count * 1_000);

  it.each<[string, string[], string[]]>([
    ['signed with the secret', [secret], [secret]],
    ['signed with both during a rotation, if only the old secret is known', [secret, old], [old]],
    ['signed with the old secret, if both are known', [old], [secret, old]],
  ])('%s is valid, as text and as bytes, with headers of Node and of fetch', async (_, by, known) => {
    const webhooks = new Webhooks(known);
    const headers = signed(by);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    for (const given of [headers, upper, new Headers(headers)])
      expect(await webhooks.verify(given, body)).toEqual(JSON.parse(body));
    expect(await webhooks.verify(headers, Buffer.from(body))).toMatchObject({ type: 'webhook.test' });
  });

  it.each<[string, Record<string, string>, string?]>([
    ['with another body', signed([secret]), `${body} `],
    ['signed with another secret', signed([old])],
    ['older than five minutes', signed([secret], seconds(-400))],
    ['from the future', signed([secret], seconds(400))],
    ['with another id', { ...signed([secret]), 'webhook-id': 'evt_2' }],
    [
      'with another timestamp',
      { ...signed([secret]), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 9) },
    ],
    ['with a timestamp that is no number', { ...signed([secret]), 'webhook-timestamp': 'NaN' }],
    [
      'with another version of the signature',
      { ...signed([secret]), 'webhook-signature': signed([secret])['webhook-signature'].replace('v1', 'v2') },
    ],
    ['with a signature that is no base64', { ...signed([secret]), 'webhook-signature': 'v1,*** v1,' }],
    ['without headers', {}],
    [
      'with a valid signature after a thousand others',
      {
        ...signed([secret]),
        'webhook-signature': `${'v1,AAAA '.repeat(1_000)}${signed([secret])['webhook-signature']}`,
      },
    ],
  ])('%s is refused', async (_, headers, given = body) => {
    await expect(new Webhooks(secret).verify(headers, given)).rejects.toBeInstanceOf(
      WebhookVerificationError,
    );
  });

  it.each<[string, unknown, unknown, string]>([
    ['a body that was parsed', signed([secret]), JSON.parse(body), 'Pass the body as it was received'],
    ['no body', signed([secret]), undefined, 'Pass the body as it was received'],
    ['a body that is a list', signed([secret]), [1, 2], 'Pass the body as it was received'],
    ['no headers', undefined, body, 'Pass the headers of the request'],
    ['null for the headers', null, body, 'Pass the headers of the request'],
    ['other types of headers', { ...signed([secret]), 'webhook-signature': 7 }, body, 'Pass the headers'],
    [
      'a signature with any characters',
      { ...signed([secret]), 'webhook-signature': 'v1,\ud800\u0100' },
      body,
      'No signature',
    ],
  ])('with %s is refused with an error that says what to pass', async (_, headers, given, words) => {
    const error: unknown = await new Webhooks(secret)
      .verify(headers as never, given as never)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(String(error)).toContain(words);
  });

  it('needs a secret, whose text is in no error', async () => {
    await expect(new Webhooks([]).verify(signed([secret]), body)).rejects.toThrow('RCPT_WEBHOOK_SECRET');
    expect(() => new Webhooks('whsec_§§§')).toThrow(
      /^A webhook secret is `whsec_` and base64; this one is not\.$/,
    );
    expect(inspect(new Webhooks(secret), { showHidden: true })).not.toContain(secret.slice(6));
  });
});
