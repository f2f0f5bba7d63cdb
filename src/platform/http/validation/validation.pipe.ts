import { ValidationPipe, type ArgumentMetadata, type Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { InvalidRequest, type FieldError } from '../../../kernel/errors.js';
import { WHOLE_OBJECT } from './fields/schema.js';
import {
  fieldErrorsOf,
  isTooWide,
  MAX_FIELD_ERRORS,
  notAnObject,
  tooManyMembers,
  unknownMember,
} from './validation-errors.js';

/**
 * Converts and validates every `@Body()`, `@Query()` and `@Param()` with a DTO class.
 *
 * @throws InvalidRequest with a pointer for each error.
 */
export class RequestValidationPipe extends ValidationPipe {
  private readonly known = new Map<unknown, ReadonlySet<string>>();

  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      forbidUnknownValues: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => new InvalidRequest(fieldErrorsOf(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // The principal, which is not validated.
    if (metadata.type === 'custom') return value;
    // PostgreSQL rejects a NUL even in a comparison. The replacement character occurs in no id.
    if (metadata.type === 'param' && typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
    if (!this.toValidate(metadata)) return super.transform(value, metadata);
    if (value === undefined) return this.withoutBody(metadata);
    if (!isRecord(value)) throw new InvalidRequest([notAnObject()]);
    const known = this.knownMembers(metadata.metatype as Type);
    const unknown = Object.keys(value).filter((name) => !known.has(name));
    // class-transformer drops members that are named like a method of `Object`, and compares each name with all others.
    const members = Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));
    const transformed = this.transformMembers(members, metadata);
    if (unknown.length === 0) return transformed;
    const errors = await transformed.then(() => [], memberErrors);
    const unknownErrors = unknown.slice(0, MAX_FIELD_ERRORS).map((name) => unknownMember([name]));
    throw new InvalidRequest([...errors, ...unknownErrors].slice(0, MAX_FIELD_ERRORS));
  }

  private async transformMembers(
    members: Readonly<Record<string, unknown>>,
    metadata: ArgumentMetadata,
  ): Promise<unknown> {
    const wide = Object.keys(members).filter((name) => isTooWide(members[name]));
    if (wide.length > 0) throw new InvalidRequest(wide.map((name) => tooManyMembers([name])));
    return super.transform(members, metadata);
  }

  /** An absent body is an empty object if the class accepts one. */
  private async withoutBody(metadata: ArgumentMetadata): Promise<unknown> {
    try {
      return (await super.transform({}, metadata)) as unknown;
    } catch (error) {
      throw error instanceof InvalidRequest ? new InvalidRequest([notAnObject()]) : error;
    }
  }

  private knownMembers(type: Type): ReadonlySet<string> {
    let known = this.known.get(type);
    if (known === undefined) {
      const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
      known = new Set(rules.map(({ propertyName }) => propertyName).filter((name) => name !== WHOLE_OBJECT));
      this.known.set(type, known);
    }
    return known;
  }
}

/** Without that of a rule about the whole object, which applies only if all members are known. */
function memberErrors(error: unknown): FieldError[] {
  if (!(error instanceof InvalidRequest)) throw error;
  return error.fieldErrors.filter(({ pointer }) => pointer !== '');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
