import { StandardSchemaValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { FieldError } from '../../kernel/domain-error.js';
import { InvalidRequest } from '../../kernel/invalid-request.js';
import { jsonPointer } from './json-pointer.js';

/** Bounded, so that a list of a hundred thousand mistakes is no large answer. */
const MOST_COMPLAINTS = 20;

/**
 * Holds every parameter that names a schema (`@Query({ schema })`, `@Body({
 * schema })`) against it. The same schema is the OpenAPI document's.
 */
export class ValidationPipe extends StandardSchemaValidationPipe {
  constructor() {
    super({
      exceptionFactory: (issues) =>
        new InvalidRequest(issues.flatMap(complaintsOf).slice(0, MOST_COMPLAINTS)),
    });
  }

  /** No id holds a NUL, and PostgreSQL takes none even to look for it: in its place stands what no id holds either. */
  override transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    if (metadata.type !== 'param' || typeof value !== 'string') return super.transform(value, metadata);
    return super.transform(value.replaceAll('\0', '\uFFFD') as T, metadata);
  }

  // Forbidden members are refused while the body is read; nothing is silently dropped here.
  protected override stripProtoKeys(): void {}
}

type Issue = StandardSchemaV1.Issue & { code?: string; keys?: string[] };

function complaintsOf(issue: Issue): FieldError[] {
  const path = (issue.path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment));
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => ({
      pointer: jsonPointer([...path, key]),
      code: 'unknown_member',
      message: 'This is not known here; leave it out.',
    }));
  }
  return [{ pointer: jsonPointer(path), code: issue.code ?? 'invalid', message: issue.message }];
}
