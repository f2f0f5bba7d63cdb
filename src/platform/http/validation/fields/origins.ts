import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { MAX_ORIGIN_LENGTH, webOriginOf } from '../../../../kernel/text/web-origin.js';
import { field, refusal, rule, type FieldOptions } from './field.js';

const EXAMPLE = 'https://www.example.com';

const SEND_ORIGIN =
  'Send the origin of a page, such as https://www.example.com: https (http for localhost), a host and at most a port; no path, credentials or wildcard.';

const isOrigin = (item: unknown) => typeof item === 'string' && webOriginOf(item) !== null;

const readOrigins = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item: unknown) => (typeof item === 'string' ? (webOriginOf(item) ?? item) : item))
    : value;

/** Origins of web pages, in any spelling; converted to the form that browsers send. */
export function Origins({ maxItems, ...options }: FieldOptions & { maxItems: number }): PropertyDecorator {
  const howMany = `Send 1 to ${maxItems} origins, such as https://www.example.com.`;
  return field(
    options,
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_ORIGIN_LENGTH, example: EXAMPLE },
      minItems: 1,
      maxItems,
    },
    Transform(({ value }: { value: unknown }) => readOrigins(value)),
    IsArray(refusal('invalid_type', howMany)),
    ArrayMinSize(1, refusal('too_small', howMany)),
    ArrayMaxSize(maxItems, refusal('too_big', howMany)),
    rule(
      'origins',
      (items) => (items as unknown[]).every(isOrigin),
      refusal('invalid_format', SEND_ORIGIN, isOrigin),
    ),
  );
}
