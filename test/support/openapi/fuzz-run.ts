import { expect } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { ResponseValidator } from './response-validator.js';
import type { Caller, Draft, OpenApiFuzz, Operation, Step } from './openapi-fuzz.js';
import { expectProblem } from '../http/problems.js';
import { KnownIds } from './known-ids.js';

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  bytes: Buffer | null;
  /** The parsed body, if it is JSON. */
  body: unknown;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: unknown;
}

/** Error codes for requests that do not match the document. */
const SHAPE_CODES = [
  'invalid_request',
  'malformed_json',
  'malformed_http',
  'malformed_list',
  'payload_too_large',
  'unsupported_media_type',
];

/** Reasons to reject valid data that the document cannot express. */
const BEYOND_SCHEMAS: Readonly<Record<string, string>> = {
  createKey: 'origins for a publishable key, and none for a secret one',
  addOutcomeSource: 'the secret that the provider signs with',
  replacePolicy: 'ids that differ, and rules that can be sent again',
  previewPolicy: 'ids that differ',
  explainReply: 'a text that begins with a code',
  createSchedule: 'the members of its kind of source',
  updateSchedule: 'the members of its kind of source, and its secret again for another host',
  updateBulkJob: 'a mail about a job that has not ended',
  updateTeam: 'no longer retention than the tier’s',
  subscribe: 'a tier that is sold, and origins that the operator allows',
  openPortal: 'an origin that the operator allows',
};

/** Their responses name the items that are not valid, and the others are stored. */
const JUDGED_ITEM_BY_ITEM = new Set(['reportOutcomes']);

/** Sends requests of one team, reuses ids of earlier responses, and checks every response against the document. */
export class FuzzRun {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly answers: ResponseValidator;
  private readonly seen: KnownIds;
  /** Operations that succeeded. */
  readonly succeeded = new Set<string>();

  constructor(
    private readonly url: string,
    private readonly fuzz: OpenApiFuzz,
    document: OpenAPIObject,
    private readonly keys: Readonly<Record<Caller, string | null>>,
  ) {
    this.answers = new ResponseValidator(document);
    this.seen = new KnownIds(fuzz.operations);
  }

  /** @throws Error with request and response at the first response that does not match the document. */
  async take(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      const sent = this.bytesOf(step);
      const answer = await this.send(sent);
      try {
        this.judge(step, sent, answer);
      } catch (cause) {
        throw new Error(tell(step, sent, answer), { cause });
      }
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private judge({ operation, mishap }: Step, sent: Sent, answer: Answer): void {
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
    if (sent.method === 'HEAD') return;
    const met = operationAt(this.fuzz.operations, sent.method, sent.path);
    const { code } = (answer.body ?? {}) as { code?: string };
    if (answer.status >= 400) expectProblem(answer, answer.status, code ?? '');
    if (met === null) return expect(answer.status).toBeGreaterThanOrEqual(400);
    this.answers.expect(met.method, met.template, answer as never);
    if (mishap === null && BEYOND_SCHEMAS[operation.id] === undefined)
      expect(SHAPE_CODES).not.toContain(code);
    if (answer.status >= 400) return;
    this.succeeded.add(met.id);
    this.seen.learn(met, answer);
    const asked = met.bodies['application/json'];
    const isWhole = asked !== undefined && !JUDGED_ITEM_BY_ITEM.has(met.id);
    if (isWhole && sent.headers['content-type'] === 'application/json')
      expect(this.answers.allows(asked, sent.body)).toEqual([]);
  }

  private bytesOf({ operation, caller, draft: madeUp, reuse, mishap }: Step): Sent {
    const draft =
      reuse === null || mishap?.startsWith('a path') ? madeUp : this.seen.instead(operation, madeUp, reuse);
    const { body, rawBody } = draft;
    const bytes = rawBody ?? (body === undefined ? null : Buffer.from(JSON.stringify(body)));
    const key = this.keys[caller];
    return {
      method: draft.method,
      path: pathOf(operation, draft),
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(bytes !== null && { 'content-length': String(bytes.length) }),
        ...draft.headers,
      },
      bytes,
      body: rawBody ? parsed(rawBody.toString()) : body,
    };
  }

  private async send({ method, path, headers, bytes }: Sent): Promise<Answer> {
    const sending = request(new URL(this.url), { method, path, headers, agent: this.agent });
    sending.end(bytes ?? undefined);
    const [answer] = (await once(sending, 'response')) as [AsyncIterable<Buffer> & Answered];
    const type = answer.headers['content-type'] ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of answer) {
      chunks.push(chunk);
      // It ends with its job, which nobody works on here.
      if (type.startsWith('text/event-stream')) break;
    }
    const text = Buffer.concat(chunks).toString();
    const body = /json\b/.test(type) && !type.includes('ndjson') ? parsed(text) : text;
    return { status: answer.statusCode, headers: answer.headers, text, body };
  }
}

interface Answered {
  statusCode: number;
  headers: Record<string, string>;
}

/** undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function pathOf({ template }: Operation, { params, rawPath: raw, ...draft }: Draft): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => raw ?? encoded(params[name] ?? ''));
  const whole = raw === undefined || path !== template ? path : `${path}/${raw}`;
  const query = draft.rawQuery ?? draft.query.map((pair) => pair.map(encoded).join('=')).join('&');
  return query === '' ? whole : `${whole}?${query}`;
}

/** A lone surrogate is sent as the replacement character. */
function encoded(value: string | number | boolean): string {
  return encodeURIComponent(Buffer.from(String(value)).toString());
}

/** The operation of a path and method, literal segments before parameters; null if there is none. */
function operationAt(operations: readonly Operation[], method: string, path: string): Operation | null {
  const [plain = ''] = path.split('?');
  const fitting = operations.filter(
    (operation) => operation.method === method && patternOf(operation.template).test(plain),
  );
  return fitting.find(({ template }) => !template.includes('{')) ?? fitting[0] ?? null;
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i');
}

function tell({ caller, mishap }: Step, { method, path, headers, bytes }: Sent, answer: Answer): string {
  const { authorization, ...shown } = headers;
  const asked = `${method} ${path.slice(0, 300)} by ${caller}${authorization === undefined ? ', without a key' : ''}`;
  const body = bytes?.subarray(0, 500).toString() ?? '';
  return `${asked} (${mishap ?? 'sound'}) ${JSON.stringify(shown)} ${body}\n→ ${answer.status} ${answer.text.slice(0, 1_000)}`;
}
