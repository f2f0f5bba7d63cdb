import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { networkOf } from '../../../net/cidr.js';
import { field, refusal, rule, type FieldOptions } from './field.js';

/** The longest: all groups of an IPv6 address, the last two in decimal. */
const MAX_LENGTH = '0000:0000:0000:0000:0000:ffff:255.255.255.255/128'.length;

const isNetwork = (item: unknown) => typeof item === 'string' && networkOf(item)?.hasHostBits === false;

const readNetworks = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((item: unknown) => (isNetwork(item) ? networkOf(item as string)?.network : item))
    : value;

/** The message for the first item that is not a network. */
function complaint(value: unknown): string {
  const wrong = (value as unknown[]).find((item) => !isNetwork(item));
  const meant = typeof wrong === 'string' ? networkOf(wrong) : null;
  return meant === null
    ? 'Send a network such as 192.0.2.0/24 or 2001:db8::/32; a single address ends in /32, or in /128 for IPv6.'
    : `The address has bits after the prefix. Send ${meant.network}, or end a single address in /32, or in /128 for IPv6.`;
}

/** Networks as CIDRs, in any spelling; converted to the usual form. */
export function Networks({ maxItems, ...options }: FieldOptions & { maxItems: number }): PropertyDecorator {
  const howMany = `Send 1 to ${maxItems} networks, such as 192.0.2.0/24.`;
  return field(
    options,
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_LENGTH, example: '2001:db8::/32' },
      minItems: 1,
      maxItems,
    },
    Transform(({ value }: { value: unknown }) => readNetworks(value)),
    IsArray(refusal('invalid_type', howMany)),
    ArrayMinSize(1, refusal('too_small', howMany)),
    ArrayMaxSize(maxItems, refusal('too_big', howMany)),
    rule(
      'networks',
      (items) => (items as unknown[]).every(isNetwork),
      refusal('invalid_format', complaint, isNetwork),
    ),
  );
}
