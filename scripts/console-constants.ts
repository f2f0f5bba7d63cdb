import type { OpenAPIObject } from '@nestjs/swagger';
import { STATUS_OF } from '../src/kernel/verdict.js';

const HEAD = '/** Values of the API, generated from /openapi.json and the table of reasons. Do not edit. */';

/** A TypeScript module with the values of the API that the console lists: types have no values at run time. */
export function consoleConstants(document: OpenAPIObject): string {
  const { webhooks = {} } = document as unknown as { webhooks?: Record<string, unknown> };
  const events = Object.keys(webhooks).map((type) => `  '${type}',\n`);
  const statuses = Object.entries(STATUS_OF).map(([reason, status]) => `  ${reason}: '${status}',\n`);
  return [
    HEAD,
    '',
    `export const EVENT_TYPES = [\n${events.join('')}] as const;`,
    '',
    `export const STATUS_OF_REASON = {\n${statuses.join('')}} as const;`,
    '',
  ].join('\n');
}
