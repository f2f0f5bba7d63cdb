import fc from 'fast-check';
import type { OpenAPIObject } from '@nestjs/swagger';
import { MISHAPS, type Mishap } from './request-mishaps.js';
import { SoundValues, type Schema } from './sound-values.js';

/** Whose key a request shows. */
export const CALLERS = ['owner', 'test', 'nobody'] as const;
export type Caller = (typeof CALLERS)[number];

const JSON_BODY: Readonly<Record<string, string>> = { 'content-type': 'application/json' };

/** What a request is made of, before it is bytes. */
export interface Draft {
  method: string;
  /** By its name in the template; encoded when it is sent, unless it was spoilt. */
  params: Record<string, string>;
  rawPath?: string;
  query: [name: string, value: string][];
  rawQuery?: string;
  headers: Record<string, string>;
  /** undefined: none. */
  body?: unknown;
  /** Takes the body's place. */
  rawBody?: Buffer;
}

export interface Step {
  operation: Operation;
  caller: Caller;
  draft: Draft;
  /** Which of the things seen so far it means, where it means one; null: what was made up. */
  reuse: number | null;
  /** What was spoilt; null: all that was sent is as the document asks. */
  mishap: Mishap | null;
}

export interface Operation {
  id: string;
  method: string;
  template: string;
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  /** By content type. */
  bodies: Record<string, Schema>;
  /** The content types of its success. */
  produces: string[];
}

interface DocumentOperation {
  operationId: string;
  parameters?: ({ $ref?: string } & Operation['parameters'][number])[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** In the order of a thing's life, so that what is asked about was made before; ended last, a team ends what is its. */
function rank({ method, template }: Operation): number {
  const names = template.includes('{');
  if (method === 'DELETE') return names ? 3 : 4;
  if (method === 'PATCH') return 2;
  return method === 'POST' && names ? 2 : method === 'POST' ? 0 : 1;
}

export class OpenApiFuzz {
  readonly operations: readonly Operation[];
  readonly values: SoundValues;

  constructor(document: OpenAPIObject) {
    this.values = new SoundValues(document.components?.schemas ?? {});
    const shared = (document.components?.parameters ?? {}) as Record<string, Operation['parameters'][number]>;
    this.operations = Object.entries(document.paths).flatMap(([template, item]) =>
      Object.entries(item as Record<string, DocumentOperation>).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        template,
        parameters: (operation.parameters ?? []).map((each) =>
          each.$ref === undefined ? each : (shared[each.$ref.split('/').at(-1) ?? ''] ?? each),
        ),
        produces: Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
          status === 'default' ? [] : Object.keys(content),
        ),
        bodies: Object.fromEntries(
          Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema]),
        ),
      })),
    );
  }

  /** Every operation once, as its document asks, by somebody who may. */
  life(): fc.Arbitrary<Step[]> {
    const steps = this.inOrder().map((operation) =>
      fc.record({
        operation: fc.constant(operation),
        caller: fc.constant('owner' as const),
        draft: this.draft(operation),
        reuse: fc.nat(3),
        mishap: fc.constant(null),
      }),
    );
    return fc.tuple(...steps);
  }

  /** Every operation once: as asked or spoilt, by anybody, in any order or that of a life. */
  mixture(): fc.Arbitrary<Step[]> {
    const steps = this.inOrder().map((operation) => this.anyStep(operation));
    const all = fc.tuple(...steps);
    return fc.oneof(
      all,
      all.chain((each) => fc.shuffledSubarray(each, { minLength: each.length })),
    );
  }

  private inOrder(): Operation[] {
    return [...this.operations].sort((a, b) => rank(a) - rank(b));
  }

  private anyStep(operation: Operation): fc.Arbitrary<Step> {
    return fc
      .record({
        operation: fc.constant(operation),
        caller: fc.oneof(
          { weight: 6, arbitrary: fc.constant('owner' as const) },
          { weight: 1, arbitrary: fc.constantFrom(...CALLERS) },
        ),
        draft: this.draft(operation),
        reuse: fc.option(fc.nat(9), { freq: 4 }),
        mishap: fc.option(fc.constantFrom(...(Object.keys(MISHAPS) as Mishap[])), { freq: 3 }),
      })
      .chain((step) =>
        step.mishap === null
          ? fc.constant(step)
          : MISHAPS[step.mishap](step.draft).map((draft) => ({ ...step, draft })),
      );
  }

  private draft({ method, parameters, bodies, produces }: Operation): fc.Arbitrary<Draft> {
    const of = (place: string) => {
      const declared = parameters.filter((each) => each.in === place);
      const members = Object.fromEntries(declared.map(({ name, schema }) => [name, this.values.of(schema)]));
      const requiredKeys = declared.filter(({ required }) => required).map(({ name }) => name);
      return fc.record(members, { requiredKeys, noNullPrototype: true });
    };
    const body = bodies['application/json'];
    return fc
      .record({
        params: of('path'),
        query: of('query'),
        accept: fc.constantFrom('*/*', ...produces),
        body: body === undefined ? fc.constant(undefined) : this.values.of(body),
      })
      .map(({ params, query, accept, body }) => ({
        method,
        params: params as Record<string, string>,
        query: Object.entries(query as Record<string, string>),
        headers: { accept, ...(body === undefined ? {} : JSON_BODY) },
        body,
      }));
  }
}
