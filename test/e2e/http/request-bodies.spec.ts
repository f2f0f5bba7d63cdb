import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aPlantedApp, type PlantedApp } from '../../support/app/planted-app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { RawClient, type RawAnswer } from '../../support/http/raw-client.js';

const LIMIT = 100_000;

let app: PlantedApp;
beforeAll(async () => {
  app = await aPlantedApp();
});
afterAll(() => app.stop());

const JSON_TYPE = { 'Content-Type': 'application/json' };

function head(path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ Host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

const chunk = (bytes: string) => `${Buffer.byteLength(bytes).toString(16)}\r\n${bytes}\r\n`;

/** Sends the parts on one connection, and reads only after that. */
async function exchange(...parts: (string | Buffer)[]): Promise<RawAnswer> {
  const client = await RawClient.connect(app.port);
  try {
    for (const part of parts) await client.send(part);
    return await client.answer();
  } finally {
    client.close();
  }
}

function post(path: string, body: string | Buffer, headers: Record<string, string> = JSON_TYPE) {
  return exchange(head(path, { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }), body);
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a JSON body', () => {
  it('is read with a Content-Length and chunked', async () => {
    expect(await post('/planted', '{"text":"häuser"}')).toMatchObject({ status: 200, body: '{"length":6}' });
    const chunked = head('/planted', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' });
    const answer = await exchange(chunked, chunk('{"text":'), chunk('"ab"}'), chunk(''));
    expect(answer).toMatchObject({ status: 200, body: '{"length":2}' });
  });

  it('may have 100,000 bytes', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(LIMIT - '{"text":""}'.length) });
    expect(Buffer.byteLength(body)).toBe(LIMIT);
    expect((await post('/planted', body)).status).toBe(200);
  });

  it('may be nested 8 levels deep', async () => {
    expect(await post('/planted/anything', nested(8))).toMatchObject({ status: 200 });
  });

  it.each([
    ['cut off', '{"text":"a"'],
    ['two values', '{"text":"a"}{}'],
    ['single quotes', "{'text':'a'}"],
    ['a comment', '{"text":"a"} // note'],
    ['white space alone', '  '],
    ['not UTF-8', Buffer.from('7b2274657874223a22ff227d', 'hex')],
    ['an overlong form in UTF-8', Buffer.from('7b2274657874223a22c0af227d', 'hex')],
    ['UTF-16', Buffer.from('{"text":"a"}', 'utf16le')],
    ['deeper than 8', nested(9)],
    ['objects deeper than 8', `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`],
    ['as deep as fits', nested(50_000)],
    ['a member __proto__', '{"text":"a","__proto__":{"admin":true}}'],
    ['a member constructor', '{"text":"a","constructor":{"prototype":{}}}'],
    ['a member prototype', '{"a":[{"prototype":1}]}'],
    ['an escaped __proto__', '{"\\u005f_proto__":1}'],
  ])('that is malformed (%s) is 400', async (_, body) => {
    for (const path of ['/planted', '/planted/anything']) {
      expectProblem(await post(path, body), 400, 'malformed_json');
    }
  });

  it('that is not JSON gives the line and the column, and not the text', async () => {
    const text = '{\n  "text": "a",\n  "tags": [jane@private.example]\n}';
    const problem = expectProblem(await post('/planted', text), 400, 'malformed_json');
    expect(problem.detail).toBe('The body is not JSON: see line 3, column 12.');
    expect(JSON.stringify(problem)).not.toContain('jane');
  });

  it('that is incomplete is no internal error', async () => {
    const before = app.logged().length;
    const client = await RawClient.connect(app.port);
    await client.send(`${head('/planted', { ...JSON_TYPE, 'Content-Length': '100' })}{"te`);
    client.close();
    while (!app.logged().slice(before).includes('"aborted":true'))
      await new Promise((next) => setImmediate(next));
    expect(app.logged().slice(before)).not.toContain('"level":"error"');
  });

  it('names an unknown, an invalid and a missing member by its pointer', async () => {
    const validationErrors = async (body: string) =>
      fieldErrorsOf(expectProblem(await post('/planted', body), 400, 'invalid_request'));
    expect(await validationErrors('{"text":"a","note":1}')).toEqual(['/note unknown_member']);
    expect(await validationErrors('{"text":"a","tags":["b",7]}')).toEqual(['/tags/1 invalid_type']);
    expect(await validationErrors('{}')).toEqual(['/text invalid_type']);
    expect(await validationErrors('[]')).toEqual([' invalid_type']);
  });

  it('is required where the route needs it', async () => {
    const answer = await exchange(head('/planted', { 'Content-Length': '0' }));
    const problem = expectProblem(answer, 400, 'invalid_request');
    expect(problem.detail).toMatch(/^The body: /);
  });
});

describe('a body of another type', () => {
  it.each([
    [{}],
    [{ 'Content-Type': 'text/plain' }],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }],
    [{ 'Content-Type': 'application/jsonp' }],
    [{ 'Content-Type': 'application/problem+json' }],
    [{ 'Content-Type': 'application/json utf-8' }],
    [{ 'Content-Type': ';application/json' }],
    [{ 'Content-Type': 'application/json,text/csv' }],
    [{ ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    [{ ...JSON_TYPE, 'Content-Encoding': 'br' }],
  ])('%j is 415', async (headers: Record<string, string>) => {
    expectProblem(await post('/planted', '{"text":"a"}', headers), 415, 'unsupported_media_type');
  });

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; utf-8',
    'application/json;',
    'application/json ; charset=iso-8859-1;;',
    'application/json; odata.metadata=minimal; odata.streaming="a;b"',
  ])('%s is JSON, whose parameters have no effect', async (type) => {
    expect((await post('/planted', '{"text":"häuser"}', { 'Content-Type': type })).body).toBe('{"length":6}');
  });
});

describe('a body that is too large', () => {
  it('is 413 by its length, before it is read', async () => {
    const answer = await exchange(head('/planted', { ...JSON_TYPE, 'Content-Length': String(LIMIT + 1) }));
    expectProblem(answer, 413, 'payload_too_large');
  });

  it('is 413 when chunked, as soon as it exceeds the limit', async () => {
    const chunked = head('/planted', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' });
    const answer = await exchange(chunked, chunk(`{"text":"${'x'.repeat(LIMIT)}`));
    expectProblem(answer, 413, 'payload_too_large');
  });

  it.each([
    ['chunks', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }],
    ['a length', { ...JSON_TYPE, 'Content-Length': '20000000' }],
  ])(
    'with %s: a client that reads only after sending everything gets its response, and the next one',
    async (_, headers) => {
      const client = await RawClient.connect(app.port);
      await client.send(head('/planted', headers));
      const part = 'x'.repeat(100_000);
      const isChunked = 'Transfer-Encoding' in headers;
      for (let sent = 0; sent < 20_000_000; sent += part.length)
        await client.send(isChunked ? chunk(part) : part);
      if (isChunked) await client.send(chunk(''));
      expectProblem(await client.answer(), 413, 'payload_too_large');

      await client.send(`GET /planted?limit=1 HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(await client.answer()).toMatchObject({ status: 200, body: '{"limit":"1"}' });
      client.close();
    },
  );
});

describe('an unauthenticated body', () => {
  const closed = (headers: Record<string, string>) => head('/planted/closed', headers);

  it.each([
    ['no key', {}, 'missing_credential'],
    ['a key that cannot be one', { Authorization: 'Bearer rcpt_live_nonsense' }, 'invalid_credential'],
  ])('is not read before 401 (%s)', async (_, headers, code) => {
    const answer = await exchange(closed({ ...headers, ...JSON_TYPE, 'Content-Length': '50' }));
    expectProblem(answer, 401, code);
    const error = code === 'invalid_credential' ? ', error="invalid_token"' : '';
    expect(answer.headers['www-authenticate']).toBe(`Bearer realm="rcpt"${error}`);
  });

  it('is 401, not 400, 413 or 415, whatever it contains', async () => {
    const bodies = [
      closed({ ...JSON_TYPE, 'Content-Length': '3' }) + '{"a',
      closed({ ...JSON_TYPE, 'Content-Length': String(LIMIT + 1) }),
      closed({ 'Content-Type': 'text/plain', 'Content-Length': '3' }) + 'abc',
    ];
    for (const body of bodies) expectProblem(await exchange(body), 401, 'missing_credential');
  });
});
