import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidatorOptions } from 'class-validator';
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

const OPTIONS: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: false },
};

/** Types of parameters that are no DTO. */
const PLAIN: readonly unknown[] = [undefined, String, Boolean, Number, Array, Object];

/**
 * Converts and validates every `@Body()`, `@Query()` and `@Param()` with a DTO class.
 *
 * @throws InvalidRequest with a pointer for each error.
 */
export class RequestValidationPipe implements PipeTransform {
  private readonly known = new Map<Type, ReadonlySet<string>>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    // PostgreSQL rejects a NUL even in a comparison. The replacement character occurs in no id.
    if (type === 'param' && typeof value === 'string') return value.replaceAll('\0', '\uFFFD');
    // The principal is not validated.
    if (type === 'custom' || PLAIN.includes(metatype)) return value;
    if (value !== undefined && !isRecord(value)) throw new InvalidRequest([notAnObject()]);
    return this.validated(metatype as Type<object>, value);
  }

  /** @param value undefined: an absent body, which is an empty object if the class accepts one. */
  private validated(type: Type<object>, value?: Readonly<Record<string, unknown>>): object {
    const given = value ?? {};
    const known = this.knownMembers(type);
    const members: Record<string, unknown> = {};
    const unknown: string[] = [];
    const wide: FieldError[] = [];
    // class-transformer drops members that are named like a method of `Object`, and compares each name with all others.
    for (const name of Object.keys(given)) {
      if (!known.has(name)) unknown.push(name);
      else if (isTooWide(given[name])) wide.push(tooManyMembers([name]));
      else members[name] = given[name];
    }
    const instance = plainToInstance(type, members);
    const invalid = wide.length > 0 ? wide : fieldErrorsOf(validateSync(instance, OPTIONS));
    if (invalid.length === 0 && unknown.length === 0) return instance;
    if (value === undefined) throw new InvalidRequest([notAnObject()]);
    // A rule about the whole object applies only if all members are known.
    const errors = unknown.length === 0 ? invalid : invalid.filter(({ pointer }) => pointer !== '');
    const others = unknown.slice(0, MAX_FIELD_ERRORS).map((name) => unknownMember([name]));
    throw new InvalidRequest([...errors, ...others].slice(0, MAX_FIELD_ERRORS));
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
