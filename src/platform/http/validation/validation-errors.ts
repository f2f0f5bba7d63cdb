import type { ValidationError } from 'class-validator';
import type { FieldError } from '../../../kernel/errors.js';
import type { RefusalContext } from './fields/field.js';
import { WHOLE_OBJECT } from './fields/schema.js';
import { append } from '../../../kernel/long-lists.js';
import { jsonPointer } from './json-pointer.js';

export const MAX_FIELD_ERRORS = 20;

/** The names of class-validator for a property without a rule, and for a value that is not an object. */
const NOT_WHITELISTED = 'whitelistValidation';
const NO_OBJECT = ['nestedValidation', 'unknownValue'];

/** More than any request needs. class-transformer takes quadratic time. */
const MAX_MEMBERS = 100;

export function unknownMember(path: readonly PropertyKey[]): FieldError {
  const message = 'This member is not known. Omit it.';
  return { pointer: jsonPointer(path), code: 'unknown_member', message };
}

export function notAnObject(path: readonly PropertyKey[] = []): FieldError {
  return { pointer: jsonPointer(path), code: 'invalid_type', message: 'Send a JSON object.' };
}

export function tooManyMembers(path: readonly PropertyKey[] = []): FieldError {
  const message = `Send at most ${MAX_MEMBERS} members in one object.`;
  return { pointer: jsonPointer(path), code: 'too_big', message };
}

/** Whether an object in this value has too many members. The body guard has bounded the depth. */
export function isTooWide(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return (members.length > MAX_MEMBERS && !Array.isArray(value)) || members.some(isTooWide);
}

/**
 * Converts the errors of class-validator to the `errors` of a problem. A rule about a whole object is
 * omitted if its members are invalid. Only messages of `refusal(…)` are used, not those of the library.
 */
export function fieldErrorsOf(errors: readonly ValidationError[]): FieldError[] {
  const found: FieldError[] = [];
  collect(errors, [], found);
  return found;
}

function collect(errors: readonly ValidationError[], path: readonly string[], found: FieldError[]): void {
  const members = errors.filter(({ property }) => property !== WHOLE_OBJECT);
  for (const error of members.length > 0 ? members : errors) {
    if (found.length >= MAX_FIELD_ERRORS) return;
    const here = error.property === WHOLE_OBJECT ? path : [...path, error.property];
    append(found, ownErrors(error, here).slice(0, MAX_FIELD_ERRORS - found.length));
    collect(error.children ?? [], here, found);
  }
}

function ownErrors(
  { constraints = {}, contexts = {}, value }: ValidationError,
  path: readonly string[],
): FieldError[] {
  return Object.entries(constraints).flatMap(([name, message]) => {
    if (name === NOT_WHITELISTED) return [unknownMember(path)];
    const context = contexts[name] as RefusalContext | undefined;
    if (context === undefined && NO_OBJECT.includes(name)) return [notAnObject(path)];
    if (context === undefined)
      return [{ pointer: jsonPointer(path), code: 'invalid_value', message: 'This is not allowed here.' }];
    const { isValidItem } = context;
    const code = typeof context.code === 'function' ? context.code(value) : context.code;
    if (isValidItem === undefined || !Array.isArray(value))
      return [{ pointer: jsonPointer(path), code, message }];
    return invalidItems(value, isValidItem).map((index) => ({
      pointer: jsonPointer([...path, index]),
      code,
      message,
    }));
  });
}

function invalidItems(items: readonly unknown[], isValid: (item: unknown) => boolean): number[] {
  return items.flatMap((item, index) => (isValid(item) ? [] : [index])).slice(0, MAX_FIELD_ERRORS);
}
