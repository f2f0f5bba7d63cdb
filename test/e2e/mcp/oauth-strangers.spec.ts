import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { anApp, type TestApp } from '../../support/app/app.js';
import { PUBLIC_URL } from '../../support/oauth/assistant.js';
import { ConsentBrowser } from '../../support/oauth/consent-browser.js';
import { DocumentHost, documentOf, sending } from '../../support/oauth/document-host.js';
import { OAuthRequests, type Answer, type Attempt, type Tokens } from '../../support/oauth/oauth-requests.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

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
beforeEach(() => app.clock.stop());
afterEach(() => {
  app.clock.advance(HOUR_MS);
  host.reset();
});
afterAll(async () => {
  host.stop();
  await app.stop();
});

/** The browser of somebody in this network asks for an authorization. */
const ask = async (attempt: Attempt, from: string, at = app) => {
  const { search } = oauth.urlOf(attempt);
  return at.get(`/oauth/authorize${search}`).set('X-Forwarded-For', from).redirects(0);
};
const askedBy = async (clientId: string, from = oauth.newNetwork()) => {
  const attempt = { clientId, verifier: '', parameters: { ...parameters, client_id: clientId } };
  return (await ask(attempt, from)).status;
};
const parameters = {
  response_type: 'code',
  redirect_uri: 'https://assistant.example/callback',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};
/** A client whose document was read, and that a user has allowed everything. */
const aDocumentedClient = async (name: string) => {
  const id = host.urlOf(name);
  host.respond = sending(documentOf(id));
  host.reachableFrom(app);
  const attempt = await oauth.attempt({ client_id: id });
  const { body } = (await oauth.exchange(attempt, await oauth.allowed(attempt, key))) as Answer;
  return { id, attempt, tokens: body as Tokens };
};
const query = <Row>(sql: string) => app.service.app.get(DataSource).query<Row[]>(sql);
const rows = () => query<{ rows: number }>('SELECT count(*)::int AS rows FROM oauth_records');

describe('the document of a client that users have allowed something', () => {
  it('is not read again for a refresh, here or in another process, whatever strangers have fetched', async () => {
    const { attempt, tokens } = await aDocumentedClient('in-use');
    host.respond = (response) => void response.writeHead(404).end();
    // Beyond what one host may be asked for.
    for (let network = 0; network < 7; network++) {
      const from = oauth.newNetwork();
      for (let n = 0; n < 20; n++) await askedBy(host.urlOf(`flood-${network}-${n}`), from);
    }
    host.reset();
    const first = await oauth.refresh(attempt, tokens.refresh_token);
    expect(first.status).toBe(200);
    const restarted = await anApp({ ...app.shared, PUBLIC_URL, TRUST_PROXY: '1' });
    try {
      const elsewhere = new OAuthRequests(restarted);
      const next = (first.body as Tokens).refresh_token;
      expect((await elsewhere.refresh(attempt, next)).status).toBe(200);
      const field = { client_id: attempt.clientId, token: next };
      expect((await restarted.post('/oauth/revoke').type('form').send(field)).status).toBe(200);
    } finally {
      await restarted.stop();
    }
    expect(host.connections).toBe(0);
  });

  it.each<[string, DocumentHost['respond']]>([
    ['the host is gone', (response) => void response.destroy()],
    ['it has moved', (response) => void response.writeHead(302, { location: 'https://evil.example/' }).end()],
    ['it is missing', (response) => void response.writeHead(404).end()],
    ['it is that of another client', sending(documentOf('https://localhost/other.json'))],
    ['it says nothing usable', (response) => void response.end('{}')],
    ['it is too large', (response) => void response.end(JSON.stringify({ padding: 'x'.repeat(6_000) }))],
    ['it never ends', (response) => void response.write('{')],
  ])('is used as it was when %s', async (what, behaviour) => {
    const { id, attempt } = await aDocumentedClient(what.replaceAll(' ', '-'));
    app.clock.advance(25 * 24 * HOUR_MS);
    host.reset();
    host.reachableFrom(app);
    host.respond = behaviour;
    const browser = new ConsentBrowser(app);
    const request = await browser.open(oauth.urlOf(attempt));
    expect((await browser.shown(request)).client).toMatchObject({ id, verified: true });
    expect(host.connections).toBe(1);
  });

  it('is used as it was when the network of the browser may fetch no more', async () => {
    const { id } = await aDocumentedClient('beyond-the-limit');
    app.clock.advance(HOUR_MS);
    host.respond = (response) => void response.writeHead(404).end();
    const from = oauth.newNetwork();
    for (let n = 0; n < 21; n++) await askedBy(host.urlOf(`used-up-${n}`), from);
    expect(await askedBy(host.urlOf('one-more'), from)).toBe(429);
    host.reset();
    expect(await askedBy(id, from)).toBe(303);
    expect(host.connections).toBe(0);
  });

  it('is read again after five minutes, and what it says then counts', async () => {
    const { id } = await aDocumentedClient('renamed');
    host.respond = sending(documentOf(id, { client_name: 'Renamed' }));
    const shown = async () => {
      const browser = new ConsentBrowser(app);
      const request = await browser.open(oauth.urlOf(await oauth.attempt({ client_id: id })));
      return (await browser.shown(request)).client.name;
    };
    expect(await shown()).toBe('Documented assistant');
    app.clock.advance(5 * MINUTE_MS);
    const later = await anApp({ ...app.shared, PUBLIC_URL, TRUST_PROXY: '1' });
    host.reachableFrom(later);
    later.clock.stop();
    later.clock.advance(app.clock.now().getTime() - later.clock.now().getTime());
    try {
      const browser = new ConsentBrowser(later);
      const request = await browser.open(oauth.urlOf(await oauth.attempt({ client_id: id })));
      expect((await browser.shown(request)).client.name).toBe('Renamed');
    } finally {
      await later.stop();
    }
  });

  it('is deleted when nobody has allowed anything for an hour', async () => {
    const id = host.urlOf('unused');
    host.respond = sending(documentOf(id));
    host.reachableFrom(app);
    expect(await askedBy(id)).toBe(303);
    app.clock.advance(HOUR_MS + 1);
    host.respond = (response) => void response.writeHead(404).end();
    expect(await askedBy(id)).toBe(400);
  });
});

describe('strangers', () => {
  it('make the token endpoint fetch nothing', async () => {
    const fetched = host.reachableFrom(app);
    const client_id = host.urlOf('stranger');
    for (const path of ['/oauth/token', '/oauth/revoke'])
      for (const fields of [
        { client_id, grant_type: 'refresh_token', refresh_token: 'x', token: 'x' },
        {
          client_id,
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: 'https://a.example/',
          token: 'x',
        },
      ])
        expect((await app.post(path).type('form').send(fields)).body).toMatchObject({
          error: 'invalid_client',
        });
    expect(fetched).not.toHaveBeenCalled();
  });

  it('in ten networks do not keep others from registering, nor those who have registered from connecting', async () => {
    const attempt = await oauth.attempt();
    for (let network = 0; network < 10; network++) {
      const from = oauth.newNetwork();
      for (let n = 0; n < 21; n++) expect((await oauth.register({}, from)).status).toBe(n < 20 ? 201 : 429);
    }
    const from = oauth.newNetwork();
    for (let n = 0; n < 20; n++) expect((await oauth.register({}, from)).status).toBe(201);
    expect((await oauth.exchange(attempt, await oauth.allowed(attempt, key))).status).toBe(200);
  });

  it('of a site with a /56 have one share of authorizations, whatever their /64; others begin as before', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 64; n++)
      for (let times = 0; times < 5; times++)
        statuses.push(await askedBy('nobody', `2001:db8:1:a${n.toString(16).padStart(2, '0')}::1`));
    expect(statuses.filter((status) => status === 429)).toHaveLength(320 - 240);
    expect(await askedBy('nobody', '2001:db8:1:b00::1')).toBe(400);
    expect(await askedBy('nobody', '2001:db8:2::1')).toBe(400);
  });

  it.each([
    ['a state of 2,049 characters', { state: 's'.repeat(2_049) }],
    ['a state of 2,049 other characters', { state: '\u20ac'.repeat(600) + 's'.repeat(1_449) }],
    ['a long address', { redirect_uri: `https://assistant.example/${'x'.repeat(2_000)}` }],
    ['a long challenge', { code_challenge: 'x'.repeat(129) }],
    ['a long scope', { scope: 'verify '.repeat(200) }],
    ['a long resource', { resource: `${PUBLIC_URL}/mcp?${'x'.repeat(2_000)}` }],
    ['a long client', { client_id: 'x'.repeat(501) }],
  ])('store nothing with %s', async (_, changes) => {
    const attempt = await oauth.attempt(changes);
    const before = await rows();
    const answer = await ask(attempt, oauth.newNetwork());
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('may have at most');
    expect(await rows()).toEqual(before);
  });

  it('store at most 8 kB with a request: parameters that are not known are not stored', async () => {
    const attempt = await oauth.attempt({
      ...{ state: 's'.repeat(2_048), nonce: 'n'.repeat(1_000), login_hint: 'l'.repeat(1_000) },
      ...{ ui_locales: 'u'.repeat(500), acr_values: 'a'.repeat(500), claims: '{}', x: 'x'.repeat(500) },
    });
    expect((await ask(attempt, oauth.newNetwork())).status).toBe(303);
    const [row] = await query<{ payload: string }>(
      `SELECT payload::text FROM oauth_records WHERE model = 'Interaction' ORDER BY expires_at DESC LIMIT 1`,
    );
    const { payload = '' } = row ?? {};
    expect(payload.length).toBeLessThan(4_000);
    expect(payload).not.toMatch(/nnnn|llll|uuuu|aaaa|xxxx/);
  });
});
