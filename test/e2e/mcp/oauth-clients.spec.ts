import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { ClientDocuments } from '../../../src/modules/identity/oauth/adapters/client-documents.js';
import { BODY_TIMEOUT, BODY_TIMEOUT_MS } from '../../../src/platform/http/body/raw-body.js';
import { anApp, type TestApp } from '../../support/app/app.js';
import { expectProblem } from '../../support/http/problems.js';
import { RawClient } from '../../support/http/raw-client.js';
import { Assistant, PUBLIC_URL } from '../../support/oauth/assistant.js';
import { ConsentBrowser } from '../../support/oauth/consent-browser.js';
import { DocumentHost, documentOf, sending } from '../../support/oauth/document-host.js';
import { OAuthRequests, type Answer } from '../../support/oauth/oauth-requests.js';
import { RECORDED_DOCUMENTS } from '../../support/oauth/recorded-clients.js';

let app: TestApp;
let key: string;
let oauth: OAuthRequests;
let host: DocumentHost;

beforeAll(async () => {
  host = await DocumentHost.start();
  app = await anApp({ PUBLIC_URL, TRUST_PROXY: '1' });
  key = (await app.anAccount()).liveKey;
  oauth = new OAuthRequests(app);
});
afterEach(() => {
  // The number of documents that are fetched for a network is limited.
  app.clock.advance(600_000);
  host.reset();
});
afterAll(async () => {
  host.stop();
  await app.stop();
});

const urlOf = (name: string) => host.urlOf(name);
/** Where the request of a client ends: at the question, or with an error. */
const begin = async (clientId: string) => {
  const { url, text } = await new ConsentBrowser(app).visit(
    oauth.urlOf(await oauth.attempt({ client_id: clientId })),
  );
  return url.pathname === '/console'
    ? 'asked'
    : (/invalid_client(_metadata)?|invalid_redirect_uri/.exec(text)?.[0] ?? text);
};

describe('a client whose id is the URL of its metadata', () => {
  it('needs no registration, is shown as verified, and is fetched once', async () => {
    const id = urlOf('client');
    host.respond = sending(documentOf(id));
    host.reachableFrom(app);
    const assistant = new Assistant(app, id);
    expect(await assistant.connect()).toBe('REDIRECT');
    const browser = new ConsentBrowser(app);
    const request = await browser.open(assistant.authorizationUrl);
    expect((await browser.shown(request)).client).toEqual({
      ...{ id, name: 'Documented assistant', uri: null, verified: true },
    });
    expect(await assistant.finish(await browser.allow(request, key))).toBe('AUTHORIZED');
    expect(host.paths).toEqual(['/client.json']);
    const { data } = (await app.get('/v1/keys', key)).body as {
      data: { kind: string; client: object | null }[];
    };
    expect(data.filter(({ kind }) => kind === 'oauth').map(({ client }) => client)).toEqual([
      { id, name: 'Documented assistant', verified: true },
    ]);
  });

  it('may come back to any port of a loopback address that the document names', async () => {
    const id = urlOf('native');
    host.respond = sending(documentOf(id, { redirect_uris: ['http://localhost/callback'] }));
    host.reachableFrom(app);
    const attempt = await oauth.attempt({ client_id: id, redirect_uri: 'http://localhost:50123/callback' });
    expect((await new ConsentBrowser(app).visit(oauth.urlOf(attempt))).url.pathname).toBe('/console');
  });

  it.each([
    ['another id', { client_id: 'https://localhost/other.json' }],
    ['a secret', { client_secret: 'secret' }],
    ['a method that needs a secret', { token_endpoint_auth_method: 'client_secret_post' }],
    ['a method that this server does not have', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['an address without TLS', { redirect_uris: ['http://assistant.example/callback'] }],
  ])('is refused if the document has %s', async (what, more) => {
    const id = urlOf(what.replaceAll(' ', '-'));
    host.respond = sending(documentOf(id, more));
    host.reachableFrom(app);
    expect(await begin(id)).toMatch(/^invalid_/);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['is too large', (response) => void response.end(JSON.stringify({ padding: 'x'.repeat(6_000) }))],
    ['never ends', (response) => void response.write('{"client_id":')],
    ['never begins', () => undefined],
    ['is no JSON', (response) => void response.end('<html>')],
    [
      'is a page',
      (response) =>
        void response
          .setHeader('content-type', 'text/html')
          .end(JSON.stringify(documentOf(urlOf('is-a-page')))),
    ],
    ['is missing', (response) => void response.writeHead(404).end()],
    [
      'has moved to a private address',
      (response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    ],
    [
      'has moved to this machine',
      (response) => void response.writeHead(301, { location: urlOf('moved') }).end(),
    ],
  ])('is refused if the document %s', async (what, behaviour) => {
    const id = urlOf(what.replaceAll(' ', '-'));
    host.respond = behaviour;
    host.reachableFrom(app);
    expect(await begin(id)).toBe('invalid_client');
    expect([host.paths, host.connections]).toEqual([[new URL(id).pathname], 1]);
  });

  it('is not fetched from this machine or a private network', async () => {
    host.respond = sending(documentOf(urlOf('private')));
    const addresses = [
      `localhost:${host.port}`,
      `127.0.0.1:${host.port}`,
      `[::1]:${host.port}`,
      `[::ffff:127.0.0.1]:${host.port}`,
      `2130706433:${host.port}`,
    ];
    for (const address of [...addresses, '10.0.0.1', '169.254.169.254', '192.168.1.1', '[fd00::1]'])
      expect([address, await begin(`https://${address}/private.json`)]).toEqual([address, 'invalid_client']);
    expect(host.connections).toBe(0);
  });

  it.each([
    'http://assistant.example/client.json',
    'https://user@assistant.example/client.json',
    'https://assistant.example/a/../client.json',
    'https://assistant.example/client.json#a',
  ])('is not fetched from %s', async (id) => {
    const documents = app.service.app.get(ClientDocuments, { strict: false });
    const fetched = jest.spyOn(documents, 'fetch');
    expect(await begin(id)).toBe('invalid_client');
    expect(fetched).not.toHaveBeenCalled();
  });

  it('makes the service fetch nothing that the document names', async () => {
    const id = urlOf('sector');
    host.respond = sending(documentOf(id, { sector_identifier_uri: urlOf('redirects') }));
    host.reachableFrom(app);
    expect([await begin(id), await begin(id)]).toEqual(['asked', 'asked']);
    expect(host.paths).toEqual(['/sector.json']);
  });

  it.each(RECORDED_DOCUMENTS)(
    '$name is allowed with its own document ($source)',
    async ({ name, document }) => {
      const id = urlOf(`recorded-${name.replaceAll(' ', '-')}`);
      host.respond = sending({ ...document, client_id: id });
      host.reachableFrom(app);
      const {
        redirect_uris: [redirect = ''],
      } = document as { redirect_uris: string[] };
      const attempt = await oauth.attempt({
        client_id: id,
        redirect_uri: redirect
          .replace('localhost/', 'localhost:50123/')
          .replace('127.0.0.1/', '127.0.0.1:50123/'),
      });
      const code = await oauth.allowed(attempt, key);
      const { status, body } = (await oauth.exchange(attempt, code, {
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      })) as Answer;
      expect([status, (body as { scope: string }).scope]).toEqual([200, 'verify lists usage']);
    },
  );

  it.each([1, 22, 25, 110, 143, 465, 587, 993])(
    'is not fetched from port %i, which is of another service',
    async (port) => {
      const fetched = host.reachableFrom(app);
      expect(await begin(`https://localhost:${port}/client.json`)).toBe('invalid_client');
      expect(fetched).not.toHaveBeenCalled();
    },
  );

  it('makes the service fetch only so many documents for one network', async () => {
    const documents = app.service.app.get(ClientDocuments, { strict: false });
    const fetched = jest
      .spyOn(documents, 'fetch')
      .mockImplementation(async () => new Response(null, { status: 404 }));
    for (let n = 0; n < 25; n++) await begin(urlOf(`flood-${n}`));
    expect(fetched).toHaveBeenCalledTimes(20);
  });
});

describe('registrations of clients', () => {
  it('of one network are limited, and unused ones expire', async () => {
    const network = oauth.newNetwork();
    const statuses = [];
    for (let n = 0; n < 21; n++) statuses.push((await oauth.register({}, network)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(201), 429]);
    const refused = await oauth.register({}, network);
    expect([(refused.body as { error: string }).error, Number(refused.headers['retry-after'])]).toEqual([
      'temporarily_unavailable',
      expect.any(Number),
    ]);
    const unused = await oauth.attempt();
    const { attempt } = await oauth.connected(key);
    app.clock.advance(25 * 3_600_000);
    expect((await new ConsentBrowser(app).visit(oauth.urlOf(unused))).text).toContain('invalid_client');
    expect((await new ConsentBrowser(app).visit(oauth.urlOf(attempt))).url.pathname).toBe('/console');
  });
});

it('what a network begins, and asks about a request, is limited', async () => {
  const network = oauth.newNetwork();
  const send = (path: string) => app.get(path).set('X-Forwarded-For', network);
  const answers = async (path: string, times: number) => {
    const statuses = [];
    for (let n = 0; n < times; n++) statuses.push((await send(path)).status);
    return statuses;
  };
  await answers('/oauth/authorize', 100);
  app.clock.advance(60_000);
  expect(await answers('/oauth/authorize', 21)).toEqual([...Array<number>(20).fill(400), 429]);
  expect((await send('/oauth/jwks')).status).toBe(200);
  const path = '/oauth/consent/x/request';
  expect(await answers(path, 120)).toEqual(Array<number>(120).fill(404));
  expectProblem(await send(path), 429, 'rate_limited');
});

it('a body that does not arrive in time ends the connection', async () => {
  const express = app.service.app.getHttpAdapter().getInstance();
  express.set(BODY_TIMEOUT, 100);
  const client = await RawClient.connect(Number(new URL(app.url).port));
  const head = 'POST /oauth/token HTTP/1.1\r\nHost: rcpt.example\r\nContent-Length: 100\r\n';
  await client.send(`${head}Content-Type: application/x-www-form-urlencoded\r\n\r\ngrant_type=`);
  await expect(client.answer()).rejects.toThrow();
  express.set(BODY_TIMEOUT, BODY_TIMEOUT_MS);
});
