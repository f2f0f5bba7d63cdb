import fc from 'fast-check';
import type { OpenAPIObject } from '@nestjs/swagger';
import { MUTATIONS, type Mutation } from './request-mutations.js';
import { ValidValues, type Schema } from './valid-values.js';

/** The key of a request. */
export const CALLERS = ['owner', 'test', 'nobody'] as const;
export type Caller = (typeof CALLERS)[number];

const JSON_BODY: Readonly<Record<string, string>> = { 'content-type': 'application/json' };

/** A generated request before serialization. */
export interface Draft {
  method: string;
  /** Path parameters by name; encoded when sent. */
  params: Record<string, string>;
  rawPath?: string;
  query: [name: string, value: string][];
  rawQuery?: string;
  headers: Record<string, string>;
  /** undefined: none. */
  body?: unknown;
  /** Sent instead of `body`. */
  rawBody?: Buffer;
}

export interface Step {
  operation: Operation;
  caller: Caller;
  draft: Draft;
  /** Index of the stored id to use; null: use the generated one. */
  reuse: number | null;
  /** The mutation; null: the request is valid. */
  mishap: Mutation | null;
}

export interface Operation {
  id: string;
  method: string;
  template: string;
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[];
  /** By content type. */
  bodies: Record<string, Schema>;
  /** Content types of successful responses. */
  produces: string[];
}

interface DocumentOperation {
  operationId: string;
  parameters?: ({ $ref?: string } & Operation['parameters'][number])[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

/** The order in an object's life cycle: create, read, update, delete; the team is deleted last. */
function rank({ method, template }: Operation): number {
  const names = template.includes('{');
  if (method === 'DELETE') return names ? 3 : 4;
  if (method === 'PATCH') return 2;
  return method === 'POST' && names ? 2 : method === 'POST' ? 0 : 1;
}

export class OpenApiFuzz {
  readonly operations: readonly Operation[];
  readonly values: ValidValues;

  constructor(document: OpenAPIObject) {
    this.values = new ValidValues(document.components?.schemas ?? {});
    const shared = (document.components?.parameters ?? {}) as Record<string, Operation['parameters'][number]>;
    this.operations = Object.entries(document.paths).flatMap(([template, item]) =>
      Object.entries(item as Record<string, DocumentOperation>).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        template,
        parameters: (operation.parameters ?? []).map((parameter) =>
          parameter.$ref === undefined
            ? parameter
            : (shared[parameter.$ref.split('/').at(-1) ?? ''] ?? parameter),
        ),
        produces: Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
          status === 'default' || status === '400' ? [] : Object.keys(content),
        ),
        bodies: Object.fromEntries(
          Object.entries(operation.requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema]),
        ),
      })),
    );
  }

  /** Every operation once, with valid requests of the owner. */
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

  /** Every operation once, valid or mutated, with any key, in any order. */
  mixture(): fc.Arbitrary<Step[]> {
    const steps = this.inOrder().map((operation) => this.anyStep(operation));
    const all = fc.tuple(...steps);
    return fc.oneof(
      all,
      all.chain((list) => fc.shuffledSubarray(list, { minLength: list.length })),
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
        mishap: fc.option(fc.constantFrom(...(Object.keys(MUTATIONS) as Mutation[])), { freq: 3 }),
      })
      .chain((step) =>
        step.mishap === null
          ? fc.constant(step)
          : MUTATIONS[step.mishap](step.draft).map((draft) => ({ ...step, draft })),
      );
  }

  private draft({ method, parameters, bodies, produces }: Operation): fc.Arbitrary<Draft> {
    const of = (place: string) => {
      const declared = parameters.filter((parameter) => parameter.in === place);
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
