import { applyDecorators } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { refusal } from './field.js';

/** The name under which class-validator reports what is wrong with an object as a whole. */
export const WHOLE_OBJECT = '';

/** The name of a class in the document, and what its schema has beside the fields. */
export function Schema(name: string, more: object = {}): ClassDecorator {
  return ApiSchema({ name, additionalProperties: false, ...more } as Parameters<typeof ApiSchema>[0]);
}

/** As `Schema`; at least one of these members has to be there. */
export function SchemaWithAny(name: string, members: readonly string[]): ClassDecorator {
  const message = `Send at least one of ${members.join(', ')}.`;
  return applyDecorators(
    Schema(name, { minProperties: 1 }),
    wholeObject((count) => count >= 1, members, message),
  );
}

/** As `Schema`; one of these members has to be there, and none of the others. */
export function SchemaWithOne(name: string, members: readonly string[]): ClassDecorator {
  return applyDecorators(
    Schema(name, { oneOf: members.map((member) => ({ required: [member] })) }),
    wholeObject((count) => count === 1, members, `Send either ${members.join(' or ')}.`),
  );
}

/** class-validator knows rules of properties only: this one belongs to a property that no object has. */
function wholeObject(
  isSound: (count: number) => boolean,
  members: readonly string[],
  message: string,
): ClassDecorator {
  const present = (object: object) =>
    members.filter((member) => (object as Record<string, unknown>)[member] !== undefined).length;
  const decorate = ValidateBy(
    { name: 'members', validator: { validate: (_, args) => isSound(present(args?.object ?? {})) } },
    refusal('custom', message),
  );
  return (target) => decorate(target.prototype as object, WHOLE_OBJECT);
}
