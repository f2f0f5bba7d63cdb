import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import supertest from 'supertest';
import { Deprecated } from '../../../src/platform/http/request/deprecated.js';
import { aPlantedApp, type PlantedApp } from '../../support/app/planted-app.js';

let app: PlantedApp;
beforeAll(async () => {
  app = await aPlantedApp();
});
afterAll(() => app.stop());

const get = (path: string) => supertest(app.url).get(path);

it('a deprecated route says since when, until when and what to use instead, besides its own Link', async () => {
  const { status, headers } = await get('/planted/old');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    deprecation: `@${Date.UTC(2026, 10, 26) / 1_000}`,
    sunset: 'Mon, 31 May 2027 00:00:00 GMT',
  });
  expect(headers.link?.split(', ')).toEqual([
    '</docs#deprecated>; rel="deprecation"; type="text/html"',
    '</docs#deprecated>; rel="sunset"; type="text/html"',
    '</planted/old?cursor=c>; rel="next"',
  ]);
});

it('errors of its handler say it too, and without an end there is no Sunset', async () => {
  for (const [id, expected] of [
    ['1', 200],
    ['missing', 404],
  ] as const) {
    const { status, headers } = await get(`/planted/old/${id}`);
    expect([status, headers.deprecation, headers.sunset]).toEqual([expected, '@1795651200', undefined]);
    expect(headers.link).toBe('<https://rcpt.example/changes>; rel="deprecation"; type="text/html"');
  }
});

it('other routes have none of these headers', async () => {
  const { headers } = await get('/planted');
  expect([headers.deprecation, headers.sunset, headers.link]).toEqual([undefined, undefined, undefined]);
});

it('the OpenAPI document marks it, wherever the decorator stands, and no other', async () => {
  const { paths } = (await get('/openapi.json')).body as OpenAPIObject;
  expect(paths['/planted/old']?.get).toMatchObject({
    deprecated: true,
    description:
      'Deprecated since 2026-11-26, and may be gone from 2027-05-31 on. See /docs#deprecated. In the old form.',
  });
  const older = paths['/planted/old/{id}']?.get;
  expect(older).toMatchObject({
    deprecated: true,
    description: 'Deprecated since 2026-11-26. See https://rcpt.example/changes.',
  });
  expect(JSON.stringify(paths)).not.toContain('x-deprecation');
  expect(paths['/planted']?.get).not.toHaveProperty('deprecated');
});

it('its calls are counted by route, and marked in the log, whose line has the key', async () => {
  await get('/planted/old/2');
  await get('/planted');
  const lines = app.logged().match(/.*"route":"\/planted.*/g) ?? [];
  const marked = lines.filter((line) => line.includes('"deprecated":true'));
  expect(marked).toEqual(lines.filter((line) => line.includes('"route":"/planted/old')));
  expect(marked.length).toBeLessThan(lines.length);
  expect(await app.metrics()).toMatch(
    /rcpt_deprecated_requests_total\{method="GET",route="\/planted\/old\/:id"\} [1-9]/,
  );
});

it('a route cannot end before its deprecation, nor on a day that does not exist', () => {
  const link = '/docs';
  expect(() => Deprecated({ since: '2026-11-26', sunset: '2026-11-25', link })).toThrow(RangeError);
  expect(() => Deprecated({ since: '2026-02-30', link })).toThrow(RangeError);
  expect(() => Deprecated({ since: '2026-11-26', sunset: 'soon', link })).toThrow(RangeError);
});
