import { applyDecorators } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { refusal } from './field.js';

/** The property name under which class-validator reports errors of an object as a whole. */
export const WHOLE_OBJECT = '';

/** The name of a class in the document, and additional members of its schema. */
export function Schema(name: string, more: object = {}): ClassDecorator {
  return ApiSchema({ name, additionalProperties: false, ...more } as Parameters<typeof ApiSchema>[0]);
}

/** Like `Schema`; at least one of these members is required. */
export function SchemaWithAny(name: string, members: readonly string[]): ClassDecorator {
  const message = `Send at least one of ${members.join(', ')}.`;
  return applyDecorators(
    Schema(name, { minProperties: 1 }),
    wholeObject((count) => count >= 1, members, message),
  );
}

/**
 * Like `Schema`; exactly one of these members is required. In the document it is a union of one schema for each.
 * @param alternatives the members, each with the name of its schema.
 */
export function SchemaWithOne(name: string, alternatives: Readonly<Record<string, string>>): ClassDecorator {
  const members = Object.keys(alternatives);
  return applyDecorators(
    Schema(name, { oneOf: members.map((member) => ({ title: alternatives[member], required: [member] })) }),
    wholeObject((count) => count === 1, members, `Send either ${members.join(' or ')}.`),
  );
}

/** class-validator supports rules of properties only, so this rule belongs to a property that does not exist. */
function wholeObject(
  isValid: (count: number) => boolean,
  members: readonly string[],
  message: string,
): ClassDecorator {
  const present = (object: object) =>
    members.filter((member) => (object as Record<string, unknown>)[member] !== undefined).length;
  const decorate = ValidateBy(
    { name: 'members', validator: { validate: (_, args) => isValid(present(args?.object ?? {})) } },
    refusal('invalid_value', message),
  );
  return (target) => decorate(target.prototype as object, WHOLE_OBJECT);
}
