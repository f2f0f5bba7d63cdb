import { Expose, Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Max, Min, ValidateBy } from 'class-validator';
import { isCidr } from '../net/address-policy.js';
import { composeDecorators } from './compose-decorators.js';
import { isEhloName, isSenderAddress, itemsOf } from './environment-values.js';

/**
 * The types of variables. Each decorator declares a property as a variable, converts its text and
 * validates the result; messages follow the name of the variable and say what to write instead.
 */

const Convert = (convert: (text: string) => unknown): PropertyDecorator =>
  composeDecorators(
    Expose(),
    Transform(({ value }: { value: string }) => convert(value)),
  );

const Valid = (isValid: (text: string) => boolean, message: string, each = false): PropertyDecorator =>
  composeDecorators(
    Expose(),
    ValidateBy({ name: 'valid', validator: { validate: isValid } }, { each, message }),
  );

export const Text = () => composeDecorators(Expose(), IsString());

export const TextMatching = (pattern: RegExp, message: string) =>
  Valid((text) => pattern.test(text), message);

export const OneOf = (values: readonly string[], message: string) =>
  Valid((text) => values.includes(text), message);

export const WholeNumber = (least: number, most: number) => {
  const message = `must be between ${least} and ${most}`;
  return composeDecorators(
    Convert((text) => (/^\d+$/.test(text) ? Number(text) : text)),
    IsInt({ message: 'must be a whole number' }),
    Min(least, { message }),
    Max(most, { message }),
  );
};

/** @param least 0: the system may select a free port. */
export const Port = (least: 0 | 1) => WholeNumber(least, 65_535);

export const Milliseconds = (most: number) => WholeNumber(100, most);

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export const Flag = () =>
  composeDecorators(
    Convert((text) => FLAGS.get(text) ?? text),
    IsBoolean({ message: 'must be true or false' }),
  );

/**
 * Not `IsUrl`, which rejects host names with an underscore and passwords with a colon.
 *
 * @param scheme matches the start of the text.
 */
export const Url = (scheme: RegExp, example: string) =>
  composeDecorators(
    Convert((text) => text.trim()),
    Valid((text) => scheme.test(text) && URL.canParse(text), `must be a URL such as ${example}`),
  );

/** A name for EHLO. */
export const EhloName = () =>
  Valid(
    isEhloName,
    'must be a host name such as verify.example.org, of at most 255 characters; an address is written [192.0.2.1] or [IPv6:2001:db8::1]',
  );

/** An address in the form of `MAIL FROM`. */
export const SenderAddress = (example: string) =>
  Valid(
    isSenderAddress,
    `must be an address such as ${example}, of at most 254 characters and without angle brackets`,
  );

/** A comma-separated list; the property is the array of its items. */
export const ListOf = (isValid: (item: string) => boolean, message: string) =>
  composeDecorators(Convert(itemsOf), Valid(isValid, message, true));

export const Networks = () =>
  ListOf(isCidr, 'must be networks such as 10.0.0.0/8 or fd00::/8, comma-separated');

/** The property is the result of `parse`; the message is that of the RangeError that it throws. */
export const ParsedBy = (parse: (text: string) => unknown) =>
  composeDecorators(
    Convert((text) => resultOf(parse, text)),
    ValidateBy({
      name: 'parsed',
      validator: {
        validate: (result) => !(result instanceof RangeError),
        defaultMessage: (args) => (args?.value as RangeError).message,
      },
    }),
  );

function resultOf(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof RangeError) return error;
    throw error;
  }
}
