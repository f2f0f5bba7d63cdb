import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { readFile, writeFile } from 'node:fs/promises';
import { consoleConstants } from '../../scripts/console-constants.js';
import { pythonTypes } from '../../scripts/python-types.js';
import { typescriptTypes } from '../../scripts/typescript-types.js';
import { anApp, type TestApp } from '../support/app/app.js';
import { withoutProse } from '../support/openapi/without-prose.js';

const TOOL_MS = 120_000;
const HINT = '/** Types of the API, generated from /openapi.json. Do not edit. */\n';

let app: TestApp;
let document: OpenAPIObject;
beforeAll(async () => {
  app = await anApp();
  document = withoutProse((await app.get('/openapi.json')).body as OpenAPIObject);
});
afterAll(() => app.stop());

/** With UPDATE_TYPES=1 it writes the file first. */
async function expectFile(path: string, types: string): Promise<void> {
  const file = new URL(`../../${path}`, import.meta.url);
  if (process.env.UPDATE_TYPES === '1') await writeFile(file, types);
  expect(await readFile(file, 'utf8')).toBe(types);
}

it(
  'the TypeScript client and the console are compiled with the types of the current OpenAPI document (UPDATE_TYPES=1 writes them)',
  async () => expectFile('clients/typescript/src/schema.ts', HINT + (await typescriptTypes(document))),
  TOOL_MS,
);

it('the console lists the events and reasons of the current API (UPDATE_TYPES=1 writes them)', () =>
  expectFile('console/src/api/constants.ts', consoleConstants(document)));

it('the Python client has the types of the current OpenAPI document (UPDATE_TYPES=1 writes them)', () =>
  expectFile('clients/python/src/rcpt/_types.py', pythonTypes(document)));
