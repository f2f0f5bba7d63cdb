import type { NamedError } from '../../../kernel/errors.js';
import { STATUS_OF_KIND } from '../problems/problem.filter.js';

export function problemSchema(errors: readonly NamedError[]) {
  const codes = errors.map(({ definition }) => definition.code).sort();
  const statuses = [...new Set(errors.map(({ definition }) => STATUS_OF_KIND[definition.kind]))].sort(
    (a, b) => a - b,
  );
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
    properties: {
      type: { ...text, format: 'uri', description: 'The documentation of this code.' },
      title: text,
      status: { type: 'integer', enum: statuses },
      detail: text,
      instance: { ...text, description: 'The path of the request.' },
      code: { ...text, enum: codes },
      request_id: text,
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['pointer', 'code', 'message'],
          properties: {
            pointer: { ...text, description: 'JSON pointer (RFC 6901).' },
            code: text,
            message: text,
          },
        },
      },
    },
  };
}
