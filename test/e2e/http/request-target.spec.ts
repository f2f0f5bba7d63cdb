import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { aPlantedApp, type PlantedApp } from '../../support/app/planted-app.js';
import { expectProblem } from '../../support/http/problems.js';
import { RawClient } from '../../support/http/raw-client.js';

let app: PlantedApp;
beforeAll(async () => {
  app = await aPlantedApp();
});
afterAll(() => app.stop());

it.each([
  'http://[/planted',
  'http://a:99999/planted',
  'https://a%/',
  'http://a%41/planted',
  'ftp://a/planted',
  'http:///planted',
])('the target %s is a problem with a request id, security headers and a log line', async (target) => {
  const logged = app.logged().length;
  const client = await RawClient.connect(app.port);
  await client.send(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const answer = await client.answer();
  client.close();
  const { request_id: id } = expectProblem(answer, 400, 'malformed_http');
  expect(answer.headers).toMatchObject({
    'x-request-id': id,
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.any(String),
  });
  expect(app.logged().slice(logged)).toContain(String(id));
});
