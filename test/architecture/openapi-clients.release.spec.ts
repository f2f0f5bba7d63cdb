import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { typescriptTypes } from '../../scripts/typescript-types.js';
import { anApp, type TestApp } from '../support/app/app.js';
import { CLIENT_PROGRAM } from '../support/clients/client-program.js';
import { lintDocument } from '../support/openapi/document-linter.js';
import { asJavaScript, typeErrors } from '../support/clients/typed-client.js';

/** Each of these starts a tool that takes its time on a busy machine. */
const TOOL_MS = 120_000;

let app: TestApp;
let document: OpenAPIObject;
beforeAll(async () => {
  app = await anApp();
  document = (await app.get('/openapi.json')).body as OpenAPIObject;
});
afterAll(() => app.stop());

describe('the linter', () => {
  it(
    'reports no error and no warning in the document',
    async () => expect(await lintDocument(document)).toEqual([]),
    TOOL_MS,
  );

  it(
    'reports a reference without a target',
    async () => {
      const broken = structuredClone(document);
      broken.components!.schemas!.Verdict = { $ref: '#/$defs/verdict' };
      const found = await lintDocument(broken);
      expect(found.filter((message) => message.startsWith('error no-unresolved-refs'))).not.toEqual([]);
    },
    TOOL_MS,
  );
});

describe('a client that openapi-typescript generates from the document with its default options', () => {
  let types: string;
  beforeAll(async () => {
    types = await typescriptTypes(document);
  }, TOOL_MS);

  it(
    'has types for a program that verifies, submits a list, reads results and relies on defaults',
    () => expect(typeErrors(types, CLIENT_PROGRAM)).toEqual([]),
    TOOL_MS,
  );

  it(
    'rejects a member that no response has',
    () => {
      const wrong = CLIENT_PROGRAM.replace('verdict.score', 'verdict.points');
      expect(typeErrors(types, wrong)).toEqual([expect.stringContaining("'points' does not exist")]);
    },
    TOOL_MS,
  );

  it('works against the service', async () => {
    const { testKey } = await app.anAccount();
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-client-'));
    const file = join(folder, 'program.mjs');
    await writeFile(file, asJavaScript(CLIENT_PROGRAM));
    const run = promisify(execFile)(process.execPath, [file, app.url, testKey]);
    const { stdout } = await run.finally(() => rm(folder, { recursive: true }));
    expect(JSON.parse(stdout)).toEqual({
      isUndeliverable: true,
      score: 0,
      replied: 550,
      reasons: ['accepted_email', 'catch_all'],
      total: 2,
      rows: [
        { index: 0, email: 'jane@example.com', ref: null, status: null },
        { index: 1, email: 'disposable@example.com', ref: '17', status: null },
      ],
      more: false,
      scores: [null, null],
      newKey: { name: 'Website' },
    });
  });
});
