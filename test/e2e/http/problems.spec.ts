import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { METHODS } from 'node:http';
import supertest from 'supertest';
import { ERRORS } from '../../../src/errors.js';
import { aPlantedApp, QUOTED_ADDRESS, type PlantedApp } from '../../support/app/planted-app.js';
import { fieldErrorsOf, expectProblem } from '../../support/http/problems.js';
import { RawClient, type RawAnswer } from '../../support/http/raw-client.js';

let app: PlantedApp;
beforeAll(async () => {
  app = await aPlantedApp();
});
afterAll(() => app.stop());

const get = (path: string) => supertest(app.url).get(path);

/** The response to these bytes on one connection. */
async function exchange(bytes: string | Buffer): Promise<RawAnswer> {
  const client = await RawClient.connect(app.port);
  try {
    await client.send(bytes);
    return await client.answer();
  } finally {
    client.close();
  }
}

describe('an unknown path or method', () => {
  it.each(['/nothing', '/planted/nothing', '/v1', '/docs/nothing', '//planted', '/planted/things//'])(
    'GET %s is 404',
    async (path) => {
      const problem = expectProblem(
        await exchange(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`),
        404,
        'not_found',
      );
      expect(problem.instance).toBe(path);
    },
  );

  it.each([
    ['/nothing?', 404, 'not_found'],
    ['/nothing#', 404, 'not_found'],
    ['http://a/nothing?', 404, 'not_found'],
    ['http://a/nothing#', 400, 'malformed_http'],
  ])(
    '%s: leaves the rest of the path, which may contain an address, out of the response',
    async (target, status, code) => {
      const answer = await exchange(`GET ${target}email=${QUOTED_ADDRESS} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect(expectProblem(answer, status, code).instance).toBe('/nothing');
      expect(answer.body).not.toContain(QUOTED_ADDRESS);
    },
  );

  it.each(METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'CONNECT'].includes(method)))(
    '%s with an invalid body is 405, and the body is not read',
    async (method) => {
      const headers = 'Host: a\r\nContent-Type: ;;\r\nContent-Length: 1000000';
      const answer = await exchange(`${method} /planted HTTP/1.1\r\n${headers}\r\n\r\n{`);
      expectProblem(answer, 405, 'method_not_allowed');
    },
  );

  it.each([
    ['DELETE', '/planted', 'GET, HEAD, POST'],
    ['PUT', '/planted/', 'GET, HEAD, POST'],
    ['GET', '/planted/closed', 'POST'],
    ['POST', '/planted/things/7', 'GET, HEAD'],
    ['PATCH', '/openapi.json', 'GET, HEAD'],
    ['PUT', 'http://a/planted', 'GET, HEAD, POST'],
  ])('%s %s is 405 with the allowed methods', async (method, path, allow) => {
    const answer = await exchange(`${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const problem = expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.allow).toBe(allow);
    expect(problem).toMatchObject({ allow: allow.split(', ') });
  });
});

describe('an invalid request', () => {
  it('names an unknown query parameter by its pointer', async () => {
    const problem = expectProblem(await get('/planted?limit=1&limt=2'), 400, 'invalid_request');
    expect(fieldErrorsOf(problem)).toEqual(['/limt unknown_member']);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])(
    'treats %s as an unknown parameter',
    async (name) => {
      const problem = expectProblem(await get(`/planted?${name}=1`), 400, 'invalid_request');
      expect(fieldErrorsOf(problem)).toEqual([`/${name} unknown_member`]);
    },
  );

  it('is refused when the percent-encoding of path or query is invalid', async () => {
    for (const path of ['/%zz', '/planted/things/%zz', '/planted?limit=%zz', '/planted?limit=%ff']) {
      const answer = await exchange(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expectProblem(answer, 400, 'malformed_http');
    }
  });

  it.each(['/planted', '/planted/nothing', '/nothing', '/%zz', '/docs/errors', 'http://a/planted'])(
    'is refused with more than 100 query parameters at %s',
    async (path) => {
      const answer = await exchange(`GET ${path}?${'limit&'.repeat(101)} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const problem = expectProblem(answer, 400, 'invalid_request');
      expect(fieldErrorsOf(problem)).toEqual(['/limit too_many_parameters']);
    },
  );

  it('escapes a pointer (RFC 6901) and limits its length', async () => {
    const problem = expectProblem(
      await get(`/planted?a~b%2Fc=1&${'x'.repeat(500)}=1`),
      400,
      'invalid_request',
    );
    expect(fieldErrorsOf(problem)).toEqual(['/a~0b~1c unknown_member', `/${'x'.repeat(100)} unknown_member`]);
  });

  it('gets a limited number of errors', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `n${i}=1`).join('&');
    const problem = expectProblem(await get(`/planted?${names}`), 400, 'invalid_request');
    expect(problem.errors).toHaveLength(20);
  });
});

describe('invalid HTTP, or too much of it', () => {
  it.each([
    'GARBAGE\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /\x00 HTTP/1.1\r\n\r\n',
  ])('%j is 400, and the connection is closed', async (bytes) => {
    const answer = await exchange(bytes);
    expectProblem(answer, 400, 'malformed_http');
    expect(answer.headers.connection).toBe('close');
  });

  it('a request with two lengths, or without a host, is 400', async () => {
    const smuggled =
      'POST /planted HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expectProblem(await exchange(smuggled), 400, 'malformed_http');
    expectProblem(await exchange('GET /planted HTTP/1.1\r\n\r\n'), 400, 'malformed_http');
  });

  it('an unknown expectation is ignored', async () => {
    const answer = await exchange('GET /planted HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n');
    expect(answer.status).toBe(200);
  });

  it('a target in absolute form (RFC 9112 §3.2.2) is accepted, and an unknown upgrade is ignored', async () => {
    const absolute = 'GET http://a/planted?limit=3 HTTP/1.1\r\nHost: a\r\nAccept-Version: 9\r\n\r\n';
    const { status, body } = await exchange(absolute);
    expect([status, JSON.parse(body)]).toEqual([200, { limit: '3' }]);
  });

  it.each([
    ['a header', (size: number) => `GET /planted HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(size)}\r\n\r\n`],
    [
      'many headers',
      (size: number) => `GET / HTTP/1.1\r\nHost: a\r\n${'X-A: 1234\r\n'.repeat(size / 11)}\r\n`,
    ],
    ['short headers', (size: number) => `GET / HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(size / 4)}\r\n`],
  ])(
    '%s over 16 kB is 431, also for a client that reads only after sending everything',
    async (_, request) => {
      for (const size of [16_500, 30_000, 5_000_000])
        expectProblem(await exchange(request(size)), 431, 'headers_too_large');
    },
  );

  it.each(['/planted?limit=', '/planted/things/', '/nothing/', '/%zz', '/livez?', 'http://a/planted?limit='])(
    'a target that begins with %s and exceeds 8 kB is 414, also for a client that reads only after sending everything',
    async (target) => {
      for (const size of [8_193, 15_000, 30_000, 5_000_000]) {
        const request = `GET ${target}${'a'.repeat(size - target.length)} HTTP/1.1\r\nHost: a\r\n\r\n`;
        expectProblem(await exchange(request), 414, 'target_too_long');
      }
    },
  );

  it('a target of 8 kB is accepted', async () => {
    const target = `/planted?limit=${'a'.repeat(8_192 - '/planted?limit='.length)}`;
    expect((await exchange(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)).status).toBe(200);
  });

  it.each(['/planted', '/nothing', '/%zz', '/docs/errors', '/planted/fault'])(
    'two Host headers are 400 at %s',
    async (path) => {
      const answer = await exchange(`GET ${path} HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n`);
      expectProblem(answer, 400, 'malformed_http');
    },
  );

  it('a header of 15 kB is accepted', async () => {
    const answer = await exchange(
      `GET /planted HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(15_000)}\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
  });

  it('endless invalid data is 400, also for a client that reads only after sending everything', async () => {
    expectProblem(await exchange(Buffer.alloc(5_000_000, 'zq\r\n')), 400, 'malformed_http');
  });
});

describe('an internal error', () => {
  it.each([
    ['an error', '/planted/fault'],
    ['a thrown text', '/planted/thrown-text'],
  ])('%s is 500, and an address in it is neither in the response nor in the log', async (_, path) => {
    const before = app.logged().length;
    const answer = await get(path);
    const problem = expectProblem(answer, 500, 'internal_error');
    const logged = app.logged().slice(before);
    expect(answer.text + logged).not.toContain(QUOTED_ADDRESS);
    expect(logged).not.toMatch(/duplicate key|no such mailbox/);
    const lines = logged
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', request_id: problem.request_id }));
  });
});

describe('an error of the framework', () => {
  it.each([
    [400, 'malformed_http'],
    [403, 'request_refused'],
    [404, 'not_found'],
    [406, 'request_refused'],
    [408, 'request_timeout'],
    [413, 'payload_too_large'],
    [414, 'target_too_long'],
    [415, 'unsupported_media_type'],
    [418, 'request_refused'],
    [429, 'rate_limited'],
    [431, 'headers_too_large'],
    [500, 'internal_error'],
    [501, 'internal_error'],
    [503, 'unavailable'],
  ])('keeps its status %i, as %s, without quoting input', async (status, code) => {
    const answer = await get(`/planted/refusals/${status}`);
    expectProblem(answer, status, code);
    expect(answer.text).not.toContain(QUOTED_ADDRESS);
    expect('retry-after' in answer.headers).toBe([429, 503].includes(status));
  });
});

describe('a violated foreign key', () => {
  it('is 404 when the path named the row, and an internal error otherwise', async () => {
    expectProblem(await get('/planted/references/thing_1?missing=thing_1'), 404, 'not_found');
    const before = app.logged().length;
    expectProblem(await get('/planted/references/thing_1?missing=thing_2'), 500, 'internal_error');
    expect(app.logged().slice(before)).toContain('"level":"error"');
  });
});

describe('the request id', () => {
  it.each(['abc', 'A.b_c-9', 'x'.repeat(64)])('%s is kept', async (id) => {
    const answer = await get('/nothing').set('X-Request-Id', id);
    expect(expectProblem(answer, 404, 'not_found').request_id).toBe(id);
  });

  it.each(['', ' ', 'a b', 'x'.repeat(65), 'a"b', 'ü', 'a,b', '<script>'])('%j is replaced', async (id) => {
    const answer = await get('/nothing').set('X-Request-Id', Buffer.from(id).toString('latin1'));
    expect(expectProblem(answer, 404, 'not_found').request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is in successful responses too, and in their log line', async () => {
    const answer = await get('/planted?limit=3').set('X-Request-Id', 'seen-in-the-log');
    expect(answer.headers['x-request-id']).toBe('seen-in-the-log');
    expect(app.logged()).toContain(
      '"request_id":"seen-in-the-log","method":"GET","route":"/planted","status":200',
    );
  });
});

it('every problem type links to an anchor of the errors page', async () => {
  const page = await get('/docs/errors');
  expect([page.status, page.type]).toEqual([200, 'text/html']);
  for (const { definition } of ERRORS) expect(page.text).toContain(`<section id="${definition.code}">`);
  const problem = expectProblem(await get('/nothing'), 404, 'not_found');
  expect(problem.type).toBe('http://localhost:3000/docs/errors#not_found');
});

it('all error codes are unique', () => {
  const codes = ERRORS.map(({ definition }) => definition.code);
  expect(codes).toEqual([...new Set(codes)]);
});
