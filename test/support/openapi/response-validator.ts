import { expect } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIObject } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Response } from 'supertest';
import type { TestApp } from '../app/app.js';

/** Checks responses against the published OpenAPI document. */
export class ResponseValidator {
  /** The schemas themselves are validated by the linter (`openapi-clients.release.spec.ts`), once. */
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  /** For a running app. The document is generated once per test run and cached in a file. */
  static async published(app: Pick<TestApp, 'get'>): Promise<ResponseValidator> {
    const kept = join(dirname(process.env.RCPT_TEST_LOG ?? ''), 'openapi.json');
    const text = await readFile(kept, 'utf8').catch(() => null);
    if (text !== null) return new ResponseValidator(JSON.parse(text) as OpenAPIObject);
    const document = (await app.get('/openapi.json')).body as OpenAPIObject;
    const own = `${kept}.${randomUUID()}`;
    await writeFile(own, JSON.stringify(document));
    await rename(own, kept);
    return new ResponseValidator(document);
  }

  constructor(private readonly document: OpenAPIObject) {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'openapi', components: document.components });
  }

  /** Fails if the document does not describe this response of the operation. */
  expect(method: string, path: string, answer: Response): void {
    const operation = this.document.paths[path]?.[method.toLowerCase() as 'get'];
    expect(operation).toBeDefined();
    const responses = operation?.responses as Record<
      string,
      { content?: Record<string, { schema: object }> }
    >;
    const response =
      responses[String(answer.status)] ?? (answer.status >= 400 ? responses.default : undefined);
    expect(response).toBeDefined();
    if (response?.content === undefined) return expect(answer.text).toBe('');
    const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    const schema = response?.content?.[type]?.schema;
    expect({ type, schema: schema !== undefined }).toEqual({ type, schema: true });
    const validate = this.validator(schema as object);
    const valid = validate(answer.body);
    expect(valid ? [] : validate.errors).toEqual([]);
  }

  /** Fails if the document does not describe this event body. */
  expectEvent(body: { type: string }): void {
    const webhooks = this.document.webhooks as OpenAPIObject['paths'];
    const request = webhooks[body.type]?.post?.requestBody as { content: Record<string, { schema: object }> };
    const validate = this.validator(request.content['application/json']?.schema as object);
    expect([body.type, validate(body) ? [] : validate.errors]).toEqual([body.type, []]);
  }

  /** The validation errors of a value; empty if it is valid. */
  allows(schema: object, value: unknown): readonly unknown[] {
    const validate = this.validator(schema);
    return validate(value) ? [] : (validate.errors ?? []);
  }

  private validator(schema: object): ValidateFunction {
    const key = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
    const known = this.compiled.get(key);
    if (known) return known;
    const made = this.ajv.compile(JSON.parse(key) as object);
    this.compiled.set(key, made);
    return made;
  }
}
