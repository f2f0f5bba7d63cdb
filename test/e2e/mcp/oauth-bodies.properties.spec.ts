import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  AUTHORIZATION_PARAMETERS,
  REVOCATION_PARAMETERS,
  TOKEN_PARAMETERS,
} from '../../../src/modules/identity/oauth/domain/oauth-parameters.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { PUBLIC_URL, REDIRECT } from '../../support/oauth/assistant.js';
import { OAuthRequests } from '../../support/oauth/oauth-requests.js';
import { RUNS } from '../../support/verification/property-runs.js';

/** Each is a request to a running service. */
const REQUESTS = { ...RUNS, numRuns: Math.ceil(RUNS.numRuns / 10) };

let app: TestApp;
let oauth: OAuthRequests;
let clientId: string;
beforeAll(async () => {
  app = await anApp({ PUBLIC_URL, TRUST_PROXY: '1' });
  oauth = new OAuthRequests(app);
  clientId = (await oauth.attempt()).clientId;
});
beforeEach(() => app.clock.advance(3_600_000));
afterAll(() => app.stop());

/** Texts that are read as something else somewhere. */
const oddText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\0',
    '%',
    '%zz',
    '%ED%A0%80',
    '[]',
    '{}',
    '__proto__',
    'true',
    '\u202E',
    '\ud800',
    REDIRECT,
  ),
  fc
    .constantFrom(' ', ':', '/', '#', 'a')
    .chain((text) => fc.integer({ min: 0, max: 3_000 }).map((n) => text.repeat(n))),
);
const nameOf = (known: object) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...Object.keys(known)) },
    fc.constantFrom('resource', 'client_secret', 'client_assertion', '__proto__', 'constructor', 'request'),
    oddText,
  );
/** A form or query as text: parts may be repeated, badly encoded, or without a value. */
const formOf = (known: object, usual: Record<string, string>) =>
  fc.array(fc.tuple(nameOf(known), oddText, fc.boolean()), { maxLength: 12 }).map((pairs) => {
    const odd = pairs.map(([name, value, isEncoded]) =>
      isEncoded
        ? `${new URLSearchParams([[name, value]]).toString()}`
        : `${name}=${value}`.replaceAll(/[^\x21-\x7e]/g, '%'),
    );
    return [new URLSearchParams(usual).toString(), ...odd].join('&');
  });

function expectAnswer({
  status,
  headers,
  text,
}: {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
}) {
  expect(status).toBeLessThan(500);
  const type = headers['content-type'] ?? '';
  // A query that is no query is refused as on every route.
  const member = type.includes('problem') ? 'code' : 'error';
  if (status >= 400 && type.includes('json'))
    expect(JSON.parse(text)).toMatchObject({ [member]: expect.any(String) });
  expect(text).not.toMatch(/node_modules|at .*\.js:|TypeError|undefined/);
}

describe('no body makes the service fail', () => {
  it('of a registration: any JSON', async () => {
    const member = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.array(oddText, { maxLength: 25 }), oddText);
    const names = fc.constantFrom(
      ...['client_name', 'client_uri', 'redirect_uris', 'grant_types', 'response_types', 'scope', 'contacts'],
      ...['token_endpoint_auth_method', 'application_type', 'jwks', 'jwks_uri', 'client_id', 'client_secret'],
      ...[
        'default_max_age',
        'subject_type',
        'sector_identifier_uri',
        'response_modes',
        'id_token_signed_response_alg',
      ],
    );
    const metadata = fc.dictionary(names, member, { maxKeys: 8 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(metadata, fc.jsonValue()), fc.boolean(), async (said, isUsual) => {
        const body =
          isUsual && !Array.isArray(said) && typeof said === 'object'
            ? { redirect_uris: [REDIRECT], ...said }
            : said;
        const answer = await app
          .post('/oauth/register')
          .set('X-Forwarded-For', oauth.newNetwork())
          .set('Content-Type', 'application/json')
          .send(JSON.stringify(body));
        expect([201, 400, 413]).toContain(answer.status);
        expectAnswer(answer);
      }),
      REQUESTS,
    );
  });

  it.each([
    '',
    '{',
    '[]',
    'null',
    '7',
    '"text"',
    '{"redirect_uris":["\ud800"]}',
    '\xff\xfe',
    '{"a":'.repeat(30),
  ])('of a registration: %j', async (body) => {
    const answer = await app.post('/oauth/register').set('Content-Type', 'application/json').send(body);
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([
      400,
      expect.stringMatching(/^invalid_/),
    ]);
  });

  it.each<[string, string, object, Record<string, string>]>([
    ['POST', '/oauth/token', TOKEN_PARAMETERS, { grant_type: 'refresh_token' }],
    ['POST', '/oauth/token', TOKEN_PARAMETERS, { grant_type: 'authorization_code' }],
    ['POST', '/oauth/revoke', REVOCATION_PARAMETERS, {}],
  ])('%s %s: any form', async (_, path, known, usual) => {
    await fc.assert(
      fc.asyncProperty(
        formOf(known, usual),
        fc.boolean(),
        fc.option(oddText),
        async (form, isKnown, header) => {
          const request = app
            .post(path)
            .set('X-Forwarded-For', oauth.newNetwork())
            .set('Content-Type', 'application/x-www-form-urlencoded');
          if (header !== null)
            void request.set('Authorization', `Basic ${Buffer.from(header).toString('base64')}`);
          expectAnswer(await request.send(isKnown ? `client_id=${clientId}&${form}` : form));
        },
      ),
      REQUESTS,
    );
  });

  it('of more than 100 parameters: it is refused', async () => {
    const sent = (pairs: number) =>
      app
        .post('/oauth/token')
        .type('form')
        .send(`client_id=${clientId}${'&resource=x'.repeat(pairs - 1)}`);
    expect((await sent(100)).body).toMatchObject({ error: 'invalid_request' });
    expect((await sent(101)).body).toEqual({
      error: 'invalid_request',
      error_description: 'Send at most 100 parameters.',
    });
  });

  it('GET /oauth/authorize: any query', async () => {
    const usual = {
      ...{ response_type: 'code', redirect_uri: REDIRECT, code_challenge_method: 'S256' },
      code_challenge: 'x'.repeat(43),
    };
    await fc.assert(
      fc.asyncProperty(formOf(AUTHORIZATION_PARAMETERS, usual), fc.boolean(), async (query, isKnown) => {
        const target = `/oauth/authorize?${isKnown ? `client_id=${clientId}&` : ''}${query}`.slice(0, 8_000);
        const answer = await app
          .get(target.replaceAll(/[#\s]/g, '%'))
          .set('X-Forwarded-For', oauth.newNetwork())
          .redirects(0);
        expectAnswer(answer);
        // Without a grant of the client, only to the question.
        if (answer.status < 400)
          expect(answer.headers.location).toMatch(/^https:\/\/rcpt\.example\/oauth\/consent\//);
      }),
      REQUESTS,
    );
  });
});
