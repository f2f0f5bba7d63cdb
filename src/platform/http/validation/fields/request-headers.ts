import { IsObject } from 'class-validator';
import { field, refusal, rule, type FieldOptions, type PropertySchema } from './field.js';

const MAX_HEADERS = 20;
const MAX_VALUE = 4_096;
/** RFC 9110 §5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible characters of ASCII and spaces: others are not sent the same way by all clients. */
const VALUE = /^[\x20-\x7E]*$/;
/** Those of the connection, which the client sets. */
const OWN =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|accept-encoding|range)$/i;

const isHeader = ([name, value]: [string, unknown]) =>
  NAME.test(name) &&
  !OWN.test(name) &&
  typeof value === 'string' &&
  value.length <= MAX_VALUE &&
  VALUE.test(value);

/** Headers of a request that the service makes for a team: an object of names and values. */
export function RequestHeaders(options: FieldOptions): PropertyDecorator {
  const message = `Send at most ${MAX_HEADERS} headers as an object of names and values, such as {"Authorization": "Bearer …"}; headers of the connection, such as Host, are set by the service.`;
  const schema = {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: MAX_VALUE, pattern: VALUE.source },
    maxProperties: MAX_HEADERS,
  } as PropertySchema;
  const areHeaders = (value: unknown) => {
    const headers = Object.entries(value as object);
    const names = new Set(headers.map(([name]) => name.toLowerCase()));
    return headers.length <= MAX_HEADERS && names.size === headers.length && headers.every(isHeader);
  };
  return field(
    options,
    schema,
    IsObject(refusal('invalid_type', message)),
    rule('headers', areHeaders, refusal('invalid_value', message)),
  );
}
