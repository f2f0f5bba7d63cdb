import { z } from 'zod';
import { parseDomainName, type DomainFault } from '../../kernel/domain-name.js';
import { hasInvisibleCharacter } from '../../kernel/invisible-characters.js';

/** Members that requests of several resources have in common. */

const WHAT_TO_SEND: Readonly<Record<DomainFault, string>> = {
  domain_empty: 'Send a domain, as in example.com.',
  domain_too_long: 'A domain has at most 253 octets.',
  domain_label:
    'This is no domain name. Send it as in example.com, without @, scheme, *. or final dot; subdomains are covered.',
  domain_idna: 'This is no international domain name (UTS #46).',
  address_literal: 'Send a domain name, not an IP address.',
};

/** Far more than a domain has in any spelling. */
const LONGEST_SPELLING = 1_000;

/** A domain in any spelling (Unicode, A-labels, capitals); read as A-labels in lower case. */
export const DomainField = z
  .string(WHAT_TO_SEND.domain_empty)
  .max(LONGEST_SPELLING, WHAT_TO_SEND.domain_too_long)
  .meta({ description: 'In Unicode or as A-labels. Covers its subdomains.', example: 'example.com' })
  .transform((written, context) => {
    const parsed = parseDomainName(written);
    if (parsed.ok) return parsed.domain;
    context.addIssue({ code: 'custom', message: WHAT_TO_SEND[parsed.fault] });
    return z.NEVER;
  });

/** A line that people write for people; no control characters, of which PostgreSQL cannot store NUL. */
export const remarkOf = (longest: number) =>
  z
    .string('Send one line of text, or null.')
    .max(longest, `Send at most ${longest} characters.`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Send one line of text without control characters.')
    .nullable()
    .default(null);

/** What people call a thing of theirs: one line, since it may stand in the subject of a mail. */
export const NameField = z
  .string('Send a name.')
  .trim()
  .min(1, 'Send a name.')
  .max(100, 'Send at most 100 characters.')
  .refine((name) => !hasInvisibleCharacter(name), 'Send one line of text without control characters.')
  .meta({ description: '1–100 characters.' });

const SEND_ADDRESS = 'Send one address, as in jane@example.com.';

/** What a mail can be sent to: no quoted local part, nothing that a mail header reads as several addresses. */
const MAILABLE = /^[^\s@<>()[\]:;,\\"]+@[^\s@<>()[\]:;,\\"]+$/;

/** Where a person has their mail; whether it arrives is not asked. */
export const AddressField = z
  .string(SEND_ADDRESS)
  .trim()
  .max(254, 'An address has at most 254 characters.')
  .refine((email) => MAILABLE.test(email) && !hasInvisibleCharacter(email), SEND_ADDRESS)
  .meta({ example: 'jane@example.com' });
