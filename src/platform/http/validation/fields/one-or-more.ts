import { Transform } from 'class-transformer';
import { field, refusal, rule, type FieldOptions, type PropertySchema } from './field.js';

interface OneOrMoreOptions extends FieldOptions {
  /** The name of the union in the document. */
  title: string;
  /** Of the values, together. */
  maxItems: number;
  /** Of a value in the document. */
  item: { enum: readonly string[] } | { maxLength: number; example: string };
  /** The form in which a value is stored; null: it is not valid. */
  read: (value: string) => string | null;
  /** What to send. */
  message: string;
}

/** One text, or an array with at least one; each is converted to the form in which it is stored. */
export function OneOrMore({
  title,
  maxItems,
  item,
  read,
  message,
  ...options
}: OneOrMoreOptions): PropertyDecorator {
  const one = { type: 'string', minLength: 1, ...item };
  const schema = { title, anyOf: [one, { type: 'array', items: one, minItems: 1, maxItems }] };
  const readOne = (value: unknown) => (typeof value === 'string' ? (read(value) ?? value) : value);
  const isValid = (value: unknown) => typeof value === 'string' && read(value) !== null;
  const isText = (value: unknown) => typeof value === 'string';
  const all = (test: (value: unknown) => boolean) => (value: unknown) => [value].flat().every(test);
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const count = `Send one value, or an array of 1 to ${maxItems}.`;
  return field(
    options,
    schema as PropertySchema,
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map(readOne) : readOne(value),
    ),
    rule('texts', all(isText), refusal('invalid_type', message, isText)),
    rule('least', (value) => !isEmpty(value), refusal('too_small', count)),
    rule('most', (value) => !Array.isArray(value) || value.length <= maxItems, refusal('too_big', count)),
    rule('values', all(isValid), refusal('invalid_value', message, isValid)),
  );
}
