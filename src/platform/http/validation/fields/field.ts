import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';

/** The values of `errors[].code`, for programs. */
type RefusalCode = 'invalid_type' | 'invalid_value' | 'invalid_format' | 'too_small' | 'too_big';

/** The context of a failed rule for the exception factory. */
export interface RefusalContext {
  code: RefusalCode | ((value: unknown) => RefusalCode);
  /** For a rule about the items of an array: whether this item satisfies it. */
  isValidItem?: (item: unknown) => boolean;
}

export interface FieldOptions {
  description?: string;
  example?: unknown;
  /** The field may be absent; `null` is still rejected unless `nullable` is set too. */
  optional?: true;
  nullable?: true;
  /**
   * The default in the document. Validation uses the initializer of the class property. For a member of a body
   * the description says it, because generators of clients require members with the keyword `default`.
   */
  default?: unknown;
}

export type PropertySchema = Parameters<typeof ApiProperty>[0];

/** Options of a class-validator decorator: the sentence for the client and the code of `errors[]`. */
export function refusal(
  code: RefusalCode,
  message: string | ((value: unknown) => string),
  isValidItem?: (item: unknown) => boolean,
): ValidationOptions {
  const context: RefusalContext = { code, isValidItem };
  if (typeof message === 'string') return { message, context };
  return { message: ({ value }) => message(value), context };
}

/** A rule that class-validator has no decorator for. */
export function rule(
  name: string,
  isValid: (value: unknown) => boolean,
  options: ValidationOptions,
): PropertyDecorator {
  return ValidateBy({ name, validator: { validate: isValid } }, options);
}

/** A rule that returns its own message. It is applied to strings only. */
export function textRule(
  name: string,
  errorOf: (text: string) => { code: RefusalCode; message: string } | null,
): PropertyDecorator {
  const read = (value: unknown) => (typeof value === 'string' ? errorOf(value) : null);
  const context: RefusalContext = { code: (value) => read(value)?.code ?? 'invalid_value' };
  return rule(name, (value) => read(value) === null, {
    message: ({ value }) => read(value)?.message ?? '',
    context,
  });
}

/** One decorator for a field: its schema in the document, whether it is required, and its rules in order. */
export function field(
  { optional, nullable, default: preset, description, ...options }: FieldOptions,
  schema: PropertySchema,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const isOptional = optional === true || preset !== undefined;
  const isNullable = nullable === true;
  const mayBeLeftOut = (value: unknown) =>
    (optional === true && value === undefined) || (isNullable && value === null);
  // The default of an absent member has already been applied.
  const condition = optional === true || isNullable ? [ValidateIf((_, value) => !mayBeLeftOut(value))] : [];
  const isParameter = schema !== undefined && 'default' in schema;
  const text = preset === undefined || isParameter ? description : withDefault(description, preset);
  const property = {
    ...schema,
    ...options,
    ...(text !== undefined && { description: text }),
    // In the schema of an object, `required` lists its members.
    ...(Array.isArray(schema?.required) ? { selfRequired: !isOptional } : { required: !isOptional }),
    ...(isNullable && { nullable: true }),
  } as PropertySchema;
  return applyDecorators(...condition, ...rules, ApiProperty(property));
}

function withDefault(description: string | undefined, preset: unknown): string {
  const value = `Default: \`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\`.`;
  return description === undefined ? value : `${description} ${value}`;
}
