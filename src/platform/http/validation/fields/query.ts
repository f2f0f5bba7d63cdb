import { Transform } from 'class-transformer';
import { IsArray, IsBoolean, IsString } from 'class-validator';
import { DELIMITER } from '../../../../kernel/list-files/csv/csv-reading.js';
import { field, refusal, rule, type FieldOptions } from './field.js';
import { maxLength } from './text.js';

/**
 * Query parameters. A value is a string, or an array if the parameter was sent more than once. A
 * string that cannot be converted is left unchanged, and rejected by the rules.
 */

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

const readFlag = (text: unknown) =>
  typeof text === 'string' && Object.hasOwn(FLAGS, text) ? FLAGS[text] : text;

/** `true`, `false`, `1` or `0`; absent: false, unless the options have another default, or `undefined` for none. */
export function FlagParameter(options: FieldOptions = {}): PropertyDecorator {
  const settings = { default: false, ...options };
  return field(
    settings,
    { type: 'boolean', ...(settings.default !== undefined && { default: settings.default }) },
    Transform(({ value }: { value: unknown }) => readFlag(value)),
    IsBoolean(refusal('invalid_value', 'Send true or false.')),
  );
}

interface NumberOptions extends FieldOptions {
  min: number;
  max: number;
  /** The unit, as in `of days`. */
  of?: string;
  /** At most three decimal places. */
  fraction?: true;
}

const WHOLE = /^(?:0|[1-9]\d{0,8})$/;
const DECIMAL = /^(?:0|[1-9]\d{0,8})(?:\.\d{1,3})?$/;

/** A number in plain digits: no sign, exponent, leading zero or white space. */
export function NumberParameter({ min, max, of, fraction, ...options }: NumberOptions): PropertyDecorator {
  const digits = fraction ? DECIMAL : WHOLE;
  const what = `a ${fraction ? 'number' : 'whole number'}${of === undefined ? '' : ` ${of}`}`;
  const isBetween = (value: unknown) => typeof value === 'number' && value >= min && value <= max;
  return field(
    options,
    {
      type: fraction ? 'number' : 'integer',
      default: options.default,
      minimum: min,
      maximum: max,
      ...(fraction && { multipleOf: 0.001 }),
    },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && digits.test(value) ? Number(value) : value,
    ),
    rule('once', (value) => !Array.isArray(value), refusal('invalid_type', `Send ${what} once.`)),
    rule('number', isBetween, refusal('invalid_format', `Send ${what} from ${min} to ${max}.`)),
  );
}

const TAB = 'tab';
const FOUND =
  'The delimiter of a CSV: one character, or `tab`. If absent, it is the one that a first line such as `sep=;` names, or a comma, semicolon, tab or vertical bar, by the cells.';

/** A delimiter of a CSV: one character that is no part of usual cells, or the word `tab`. */
export function DelimiterParameter(description = FOUND): PropertyDecorator {
  const isValid = (value: unknown) => typeof value === 'string' && DELIMITER.test(value);
  return field(
    { optional: true, description },
    { type: 'string', maxLength: TAB.length, pattern: `^(?:${TAB}|${DELIMITER.source.slice(1, -1)})$` },
    Transform(({ value }: { value: unknown }) => (value === TAB ? '\t' : value)),
    rule('delimiter', isValid, refusal('invalid_value', SEND_DELIMITER)),
  );
}

const SEND_DELIMITER = 'Send one character such as ; or |, or tab. Letters, digits and " @ . _ + - are none.';

/** Some of these values, separated by commas or sent one by one; read as an array in the order of `values`. */
export function SeveralOf(values: readonly string[], options: FieldOptions): PropertyDecorator {
  const read = (value: unknown) => {
    const parts = [value].flat().join(',').split(',');
    return parts.length <= values.length && parts.every((part) => values.includes(part))
      ? values.filter((each) => parts.includes(each))
      : String(value);
  };
  const one = `(?:${values.join('|')})`;
  return field(
    options,
    {
      type: 'string',
      maxLength: values.join(',').length,
      pattern: `^${one}(?:,${one}){0,${values.length - 1}}$`,
    },
    Transform(({ value }: { value: unknown }) => (value === undefined ? undefined : read(value))),
    IsArray(refusal('invalid_value', `Send one of ${values.join(', ')}, or several with commas between.`)),
  );
}

/** The page size. @param max maximum number of rows. @param usual the default. */
export function PageLimit(max: number, usual: number, more = ''): PropertyDecorator {
  const description = `Rows on a page, 1–${max.toLocaleString('en')}.${more}`;
  return NumberParameter({ min: 1, max, default: usual, description });
}

const SEND_CURSOR = 'Send next_cursor of the previous page, unchanged, or omit cursor.';

export function PageCursor(): PropertyDecorator {
  return field(
    { optional: true, description: '`next_cursor` of the previous page.' },
    { type: 'string', minLength: 1, maxLength: 500, pattern: '^[A-Za-z0-9_-]+$' },
    IsString(refusal('invalid_type', SEND_CURSOR)),
    maxLength(500, SEND_CURSOR),
  );
}
