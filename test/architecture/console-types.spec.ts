import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { readFile, writeFile } from 'node:fs/promises';
import { anApp, type TestApp } from '../support/app.js';
import { clientTypes } from '../support/typed-client.js';

const FILE = new URL('../../console/src/api/schema.d.ts', import.meta.url);
const TOOL_MS = 120_000;

let app: TestApp;
beforeAll(async () => {
  app = await anApp();
});
afterAll(() => app.stop());

it(
  'the console is compiled with the types of the current OpenAPI document (UPDATE_TYPES=1 writes them)',
  async () => {
    const document = (await app.get('/openapi.json')).body as OpenAPIObject;
    const types = await clientTypes(withoutProse(document) as OpenAPIObject);
    if (process.env.UPDATE_TYPES === '1') await writeFile(FILE, types);
    expect(await readFile(FILE, 'utf8')).toBe(types);
  },
  TOOL_MS,
);

/** Texts are in the document. In the types they would change with every wording. */
function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, each]) =>
      !/^examples?$/.test(name) && !(/^(description|summary|title)$/.test(name) && typeof each === 'string'),
  );
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutProse(each)]));
}
