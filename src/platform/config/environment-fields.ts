import { isIP } from 'node:net';
import { isCidr } from '../net/cidr.js';
import { isEhloName, isSenderAddress, itemsOf } from './environment-values.js';
import { parsedUrl } from '../../kernel/text/parsed-url.js';

/**
 * The types of variables. Each decorator declares a property as a variable and says how its text is read; messages
 * follow the name of the variable and say what to write instead. Not class-validator, which the library of the
 * engine would load with its configuration.
 */

export interface Field {
  /** @returns the value of the property. @throws RangeError with the message. It does not quote the text. */
  read(text: string): unknown;
  /** The variable is a whole number. */
  isNumber: boolean;
}

/** The declared variables by name, in their order. */
export const FIELDS: ReadonlyMap<string, Field> = new Map();

function declare(read: Field['read'], isNumber = false): PropertyDecorator {
  return (_target, name) => {
    (FIELDS as Map<string, Field>).set(String(name), { read, isNumber });
  };
}

const Valid = (isValid: (text: string) => boolean, message: string): PropertyDecorator =>
  declare((text) => (isValid(text) ? text : refuse(message)));

function refuse(message: string): never {
  throw new RangeError(message);
}

export const Text = () => declare((text) => text);

export const TextMatching = (pattern: RegExp, message: string) =>
  Valid((text) => pattern.test(text), message);

export const OneOf = (values: readonly string[], message: string) =>
  Valid((text) => values.includes(text), message);

export const WholeNumber = (least: number, most: number) =>
  declare((text) => {
    if (!/^\d+$/.test(text)) return refuse('must be a whole number');
    const number = Number(text);
    return number >= least && number <= most ? number : refuse(`must be between ${least} and ${most}`);
  }, true);

/** @param least 0: the system may select a free port. */
export const Port = (least: 0 | 1) => WholeNumber(least, 65_535);

export const Milliseconds = (most: number) => WholeNumber(100, most);

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export const Flag = () => declare((text) => FLAGS.get(text) ?? refuse('must be true or false'));

/**
 * Host names may have an underscore, and passwords a colon.
 *
 * @param scheme matches the start of the text.
 */
export const Url = (scheme: RegExp, example: string) =>
  declare((text) => {
    const url = text.trim();
    return scheme.test(url) && parsedUrl(url) !== null ? url : refuse(`must be a URL such as ${example}`);
  });

/** A name for EHLO. */
export const EhloName = () =>
  Valid(
    isEhloName,
    'must be a host name such as verify.example.org, of at most 255 characters; an address is written [192.0.2.1] or [IPv6:2001:db8::1]',
  );

/** Of this machine; whether it has the address shows when the process listens. */
export const ListenAddress = () =>
  Valid(
    (text) => isIP(text) !== 0 || (isEhloName(text) && !text.startsWith('[')),
    'must be an IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all',
  );

/** An address in the form of `MAIL FROM`. */
export const SenderAddress = (example: string) =>
  Valid(
    isSenderAddress,
    `must be an address such as ${example}, of at most 254 characters and without angle brackets`,
  );

/** A comma-separated list; the property is the array of its items. @param least of items. */
export const ListOf = (isValid: (item: string) => boolean, message: string, least = 0) =>
  declare((text) => {
    const items = itemsOf(text);
    return items.length >= least && items.every(isValid) ? items : refuse(message);
  });

export const Networks = () =>
  ListOf(isCidr, 'must be networks such as 10.0.0.0/8 or fd00::/8, comma-separated');

/** The property is the result of `parse`, and the message that of the RangeError that it throws. */
export const ParsedBy = (parse: (text: string) => unknown) => declare(parse);
