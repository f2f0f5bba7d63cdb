import { Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { parseDomainName, type DomainNameError } from '../../../../kernel/text/domain-name.js';
import { hasInvisibleCharacter } from '../../../../kernel/text/invisible-characters.js';
import { nameError, remarkError, searchError } from '../../../../kernel/text/text-rules.js';
import { textRule, field, refusal, rule, type FieldOptions } from './field.js';

interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  /** For the document; must be valid in other languages too. */
  pattern?: string;
  format?: string;
  /** The message for a value that is not a string, or is empty. */
  message?: string;
  /** The message for a parameter that was sent more than once; default: `message`. */
  repeated?: string;
  tooLong?: string;
}

const trimmed = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.trim() : value,
);

/** In UTF-16 units. `MaxLength` of class-validator counts some pairs of code points as one; PostgreSQL does not. */
export const maxLength = (max: number, message = `Send at most ${max} characters.`) =>
  rule('maxLength', (value) => String(value).length <= max, refusal('too_big', message));

const shortest = (least: number, message: string) =>
  rule('shortest', (value) => String(value).length >= least, refusal('too_small', message));

export function Text(options: TextOptions = {}): PropertyDecorator {
  const {
    min,
    max,
    pattern,
    format,
    message = 'Send a string.',
    repeated = message,
    tooLong,
    ...rest
  } = options;
  const schema = { type: 'string' as const, minLength: min, maxLength: max, pattern, format };
  const notText = (value: unknown) => (Array.isArray(value) ? repeated : message);
  const rules = [IsString(refusal('invalid_type', notText))];
  if (min !== undefined) rules.push(shortest(min, message));
  if (max !== undefined) rules.push(maxLength(max, tooLong));
  return field(rest, schema, ...rules);
}

/** A string of this form; the pattern is also that of the document. */
export function Matching(
  pattern: RegExp,
  { message, ...options }: FieldOptions & { message: string },
): PropertyDecorator {
  return field(
    options,
    { type: 'string', pattern: pattern.source },
    IsString(refusal('invalid_type', message)),
    rule('pattern', (value) => pattern.test(String(value)), refusal('invalid_format', message)),
  );
}

/** An id of this service: a prefix and a sortable part. */
export function Id(prefix: string, options: FieldOptions = {}): PropertyDecorator {
  return Text({ example: `${prefix}_01kaj3wzj4e0t9x7n2v8q5r6sm`, ...options });
}

/** A display name: one line, since it can be part of the subject of a mail. */
export function DisplayName(options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'string' as const, minLength: 1, maxLength: 100 };
  return field(
    { description: '1–100 characters on one line.', ...options },
    schema,
    trimmed,
    IsString(refusal('invalid_type', 'Send a name.')),
    textRule('name', nameError),
  );
}

/** What texts are searched for: 1–254 characters without control characters. */
export function SearchText(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: 'string', minLength: 1, maxLength: 254, pattern: '^[^\\x00-\\x1F\\x7F-\\x9F]*$' },
    IsString(refusal('invalid_type', 'Send one text to search for.')),
    textRule('search', searchError),
  );
}

/** One line of text for people. */
export function Remark(max: number, options: FieldOptions): PropertyDecorator {
  return field(
    { nullable: true, ...options },
    { type: 'string', maxLength: max, pattern: '^[^\\x00-\\x1F\\x7F-\\x9F]*$' },
    IsString(refusal('invalid_type', 'Send one line of text, or null.')),
    textRule('remark', (text) => remarkError(text, max)),
  );
}

/** Longer than a domain in any spelling. */
const MAX_SPELLING_LENGTH = 1_000;

const SEND_ADDRESS = 'Send one address, such as jane@example.com.';

/** An address to which mail can be sent: no quoted local part, and no character that would separate addresses in a header. */
const MAILABLE = /^[^\s@<>()\[\]:;,\\"]+@[^\s@<>()\[\]:;,\\"]+$/;

/** The parts around the last @; null: there is none. */
function partsOf(address: string): [localPart: string, domain: string] | null {
  const at = address.lastIndexOf('@');
  return at === -1 ? null : [address.slice(0, at), address.slice(at + 1)];
}

const isMailable = (value: unknown) => {
  const text = String(value);
  const [, domain = ''] = partsOf(text) ?? [];
  return MAILABLE.test(text) && !hasInvisibleCharacter(text) && parseDomainName(domain).ok;
};

/**
 * The spelling under which an address is stored, compared and counted: its domain as A-labels, so that `example。com` is
 * no other mailbox than `example.com`, and its local part in NFC, as the engine sends it.
 */
const readAddress = (value: unknown) => {
  if (typeof value !== 'string' || value.length > MAX_SPELLING_LENGTH) return value;
  const text = value.trim();
  const [localPart = '', written = ''] = partsOf(text) ?? [];
  const parsed = parseDomainName(written);
  if (!parsed.ok) return text;
  // Letter case is kept: it is ignored where addresses are compared.
  const domain = written.toLowerCase() === parsed.domain ? written : parsed.domain;
  return `${localPart.normalize('NFC')}@${domain}`;
};

/** An email address of a person; only its syntax is validated. */
export function EmailAddress(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { example: 'jane@example.com', ...options },
    { type: 'string', minLength: 3, maxLength: 254, pattern: MAILABLE.source },
    Transform(({ value }: { value: unknown }) => readAddress(value)),
    IsString(refusal('invalid_type', SEND_ADDRESS)),
    maxLength(254, 'An address has at most 254 characters.'),
    rule('mailable', isMailable, refusal('invalid_format', SEND_ADDRESS)),
  );
}

const WHAT_TO_SEND: Readonly<Record<DomainNameError, string>> = {
  domain_empty: 'Send a domain, such as example.com.',
  domain_too_long: 'A domain has at most 253 octets.',
  domain_label:
    'This is not a valid domain name. Send a name such as example.com, without @, scheme, *. or final dot; subdomains are covered.',
  domain_idna: 'This is not a valid internationalized domain name (UTS #46).',
  address_literal: 'Send a domain name, not an IP address.',
};

const readDomain = (text: unknown) => {
  if (typeof text !== 'string' || text.length > MAX_SPELLING_LENGTH) return text;
  const parsed = parseDomainName(text);
  return parsed.ok ? parsed.domain : text;
};

const whatToSend = (value: unknown) => {
  const parsed = parseDomainName(String(value));
  return parsed.ok ? WHAT_TO_SEND.domain_label : WHAT_TO_SEND[parsed.error];
};

/** A domain in any spelling (Unicode, A-labels, capitals); converted to A-labels in lower case. */
export function DomainName(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { description: 'In Unicode or as A-labels. Covers its subdomains.', example: 'example.com', ...options },
    { type: 'string', minLength: 1, maxLength: MAX_SPELLING_LENGTH },
    Transform(({ value }: { value: unknown }) => readDomain(value)),
    IsString(refusal('invalid_type', WHAT_TO_SEND.domain_empty)),
    maxLength(MAX_SPELLING_LENGTH, WHAT_TO_SEND.domain_too_long),
    rule('domain', (value) => parseDomainName(String(value)).ok, refusal('invalid_format', whatToSend)),
  );
}
