import { Type as Nested, type TypeHelpOptions } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import type { Type } from '@nestjs/common';
import { field, refusal, rule, type FieldOptions, type PropertySchema } from './field.js';

interface RangeOptions extends FieldOptions {
  min?: number;
  max?: number;
  message?: string;
}

export function WholeNumber({ min, max, message, ...options }: RangeOptions = {}): PropertyDecorator {
  const send = message ?? 'Send a whole number.';
  const rules = [IsInt(refusal('invalid_type', send))];
  if (min !== undefined) rules.push(Min(min, refusal('too_small', send)));
  if (max !== undefined) rules.push(Max(max, refusal('too_big', send)));
  return field(options, { type: 'integer', minimum: min, maximum: max }, ...rules);
}

export function DecimalNumber({
  min,
  max,
  message,
  ...options
}: Required<Pick<RangeOptions, 'min' | 'max' | 'message'>> & FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: 'number', minimum: min, maximum: max },
    IsNumber({}, refusal('invalid_type', message)),
    Min(min, refusal('too_small', message)),
    Max(max, refusal('too_big', message)),
  );
}

export function Count(description: string, options: FieldOptions = {}): PropertyDecorator {
  return WholeNumber({ description, min: 0, ...options });
}

export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: 'boolean' }, IsBoolean(refusal('invalid_type', 'Send true or false.')));
}

/** An enum value; also in a query. */
export function OneOf(
  values: readonly string[],
  { message = `Send one of ${values.join(', ')}.`, ...options }: FieldOptions & { message?: string } = {},
): PropertyDecorator {
  return field(
    options,
    { type: 'string', enum: [...values] },
    IsIn(values, refusal('invalid_value', message)),
  );
}

/** @param none the message for an empty list; null: it may be empty. */
export function SomeOf(
  values: readonly string[],
  { none, ...options }: FieldOptions & { none: string | null },
): PropertyDecorator {
  const isKnown = (item: unknown) => values.includes(item as string);
  const send = `Send some of ${values.join(', ')}.`;
  return field(
    options,
    {
      type: 'array',
      items: { type: 'string', enum: [...values] },
      minItems: none === null ? 0 : 1,
      maxItems: values.length,
      uniqueItems: true,
    },
    IsArray(refusal('invalid_type', send)),
    ...(none === null ? [] : [ArrayMinSize(1, refusal('too_small', none))]),
    ArrayMaxSize(values.length, refusal('too_big', 'Send each type once.')),
    rule('items', (items) => (items as unknown[]).every(isKnown), refusal('invalid_value', send, isKnown)),
    ArrayUnique(refusal('invalid_value', 'Send each type once.')),
  );
}

export function WholeNumbers({
  message,
  min,
  max,
  maxItems,
  ...options
}: Required<Pick<RangeOptions, 'min' | 'max' | 'message'>> &
  FieldOptions & { maxItems: number }): PropertyDecorator {
  const isNumber = (item: unknown) =>
    Number.isInteger(item) && (item as number) >= min && (item as number) <= max;
  return field(
    options,
    {
      type: 'array',
      items: { type: 'integer', minimum: min, maximum: max },
      minItems: 1,
      maxItems,
      uniqueItems: true,
    },
    IsArray(refusal('invalid_type', message)),
    ArrayMinSize(1, refusal('too_small', message)),
    ArrayMaxSize(maxItems, refusal('too_big', message)),
    rule(
      'numbers',
      (items) => (items as unknown[]).every(isNumber),
      refusal('invalid_value', message, isNumber),
    ),
    ArrayUnique(refusal('invalid_value', 'Send each number once.')),
  );
}

interface TextsOptions extends FieldOptions {
  message: string;
  /** 1 unless stated. */
  minItems?: number;
  maxItems: number;
  /** Of an item, which has at least one character. */
  maxLength: number;
}

export function Texts({
  message,
  minItems = 1,
  maxItems,
  maxLength,
  ...options
}: TextsOptions): PropertyDecorator {
  const isText = (item: unknown) => typeof item === 'string';
  const isValid = (item: unknown) => isText(item) && item.length >= 1 && item.length <= maxLength;
  return field(
    options,
    { type: 'array', items: { type: 'string', minLength: 1, maxLength }, minItems, maxItems },
    IsArray(refusal('invalid_type', message)),
    ArrayMinSize(minItems, refusal('too_small', message)),
    ArrayMaxSize(maxItems, refusal('too_big', message)),
    rule('items', (items) => (items as unknown[]).every(isText), refusal('invalid_type', message, isText)),
    rule(
      'lengths',
      (items) => (items as unknown[]).every(isValid),
      refusal('invalid_value', message, isValid),
    ),
  );
}

const TIME = /^(\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d+)?Z$/;

/** Whether this is an RFC 3339 time in UTC with a valid date. */
function isTime(value: unknown): boolean {
  const [, whole = ''] = (typeof value === 'string' && TIME.exec(value)) || [];
  const time = new Date(`${whole}Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(whole);
}

/** A time in UTC, RFC 3339 with `Z`. */
export function Time(options: FieldOptions = {}): PropertyDecorator {
  const message = 'Send a time in UTC, such as 2030-01-31T12:00:00Z.';
  return field(
    { example: '2026-11-21T12:00:00.000Z', ...options },
    { type: 'string', format: 'date-time' },
    rule('time', isTime, refusal('invalid_format', message)),
  );
}

export function Day(options: FieldOptions = {}): PropertyDecorator {
  const isDay = (value: unknown) => isTime(`${String(value)}T00:00:00Z`);
  return field(
    { example: '2026-11-21', ...options },
    { type: 'string', format: 'date' },
    rule('day', isDay, refusal('invalid_format', 'Send a day, such as 2030-01-31.')),
  );
}

type TypeOf = (options?: TypeHelpOptions) => Type;

export function ObjectOf(type: TypeOf, options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: () => type() },
    IsObject(refusal('invalid_type', 'Send an object.')),
    ValidateNested(refusal('invalid_type', 'Send an object.')),
    Nested(type),
  );
}

/** An object whose members depend on another field of the response. */
export function AnyObject(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'object', additionalProperties: true } as PropertySchema;
  return field(options, schema, IsObject(refusal('invalid_type', 'Send an object.')));
}

/** @param maxItems of a request. */
export function ListOf(
  type: TypeOf,
  { maxItems, ...options }: FieldOptions & { maxItems?: number } = {},
): PropertyDecorator {
  const bound = maxItems === undefined ? {} : { maxItems };
  const rules = [IsArray(refusal('invalid_type', 'Send an array.'))];
  if (maxItems !== undefined)
    rules.push(ArrayMaxSize(maxItems, refusal('too_big', `Send at most ${maxItems}.`)));
  return field(
    options,
    { type: () => [type()], ...bound },
    ...rules,
    ValidateNested({ each: true, ...refusal('invalid_type', 'Send an object.') }),
    Nested(type),
  );
}

/** An object with a count for each of these names. @param complete all names are required. */
export function CountsBy(
  names: readonly string[],
  { complete, ...options }: FieldOptions & { complete?: true } = {},
): PropertyDecorator {
  const isCount = ([name, count]: [string, unknown]) =>
    names.includes(name) && Number.isInteger(count) && (count as number) >= 0;
  const isComplete = (counts: object) =>
    complete !== true || names.every((name) => Object.hasOwn(counts, name));
  const areCounts = (value: unknown) =>
    typeof value === 'object' && value !== null && Object.entries(value).every(isCount) && isComplete(value);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0 }])),
    ...(complete === true && { required: [...names] }),
    additionalProperties: false,
  } as PropertySchema;
  return field(options, schema, rule('counts', areCounts, refusal('invalid_type', 'Send counts.')));
}

export function Link(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: 'string', format: 'uri' }, IsString(refusal('invalid_type', 'Send a URL.')));
}
