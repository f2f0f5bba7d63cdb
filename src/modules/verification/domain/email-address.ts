import { type DomainFault, parseDomainName } from '../../../kernel/domain-name.js';
import { type LocalPartFault, parseLocalPart } from './local-part.js';

/** What is wrong with a text that is no address, or none that we take. */
export type SyntaxFault = 'empty' | 'no_at_sign' | 'too_long' | LocalPartFault | DomainFault;

/** A parsed address; every text in it is free of CR, LF, NUL, `<` and `>`. */
export interface EmailAddress {
  /** The local part as it was written, with its quotes if it had any; NFC. */
  localPart: string;
  /** A-label, lower case, no final dot. */
  domain: string;
  /** `localPart@domain`, unnecessary quotes and escapes removed; NFC: for people and for answers. */
  normalized: string;
  /** What makes two spellings one address (cache, duplicates, charge): `normalized` with ASCII letters lowered; NFC. */
  key: string;
  /** `localPart@domain`, the local part in the spelling as written, not even NFC: what the server is asked about. */
  mailbox: string;
  /** The local part as written has non-ASCII characters: the server must offer SMTPUTF8 (RFC 6531). */
  international: boolean;
  /** What follows the first `+` (perhaps nothing); null without a `+`, with nothing before it, or where quotes are needed. */
  subaddress: string | null;
}

export type ParsedAddress = { ok: true; address: EmailAddress } | { ok: false; fault: SyntaxFault };

/** A path is 256 octets with its `<` and `>` (RFC 5321 §4.5.3.1.3). */
const MAX_OCTETS = 254;
/** UTF-16 units; room for the longest domain in U-labels, and an end to the work that a text can make. */
const MAX_TEXT_LENGTH = 1_000;

/**
 * Reads a Mailbox (RFC 5321 §4.1.2, with the UTF-8 of RFC 6531 §3.3): no display name, no angle
 * brackets, no comments, no white space around it. Nothing is trimmed: a space is a fault.
 *
 * Takes time linear in the text's length, and next to none for a text over 1,000 characters.
 */
export function parseEmailAddress(text: string): ParsedAddress {
  if (text === '') return { ok: false, fault: 'empty' };
  if (text.length > MAX_TEXT_LENGTH) return { ok: false, fault: 'too_long' };
  // The last one: a quoted string may hold others, a domain none.
  const at = text.lastIndexOf('@');
  if (at === -1) return { ok: false, fault: 'no_at_sign' };

  const written = text.slice(0, at);
  const local = parseLocalPart(written);
  if (!local.ok) return local;
  const parsedDomain = parseDomainName(text.slice(at + 1));
  if (!parsedDomain.ok) return parsedDomain;

  const { spelling, normalized, quoted } = local.localPart;
  const { domain } = parsedDomain;
  const mailbox = `${written}@${domain}`;
  const printed = `${normalized}@${domain}`;
  if ([mailbox, printed].some((each) => Buffer.byteLength(each) > MAX_OCTETS)) {
    return { ok: false, fault: 'too_long' };
  }

  return {
    ok: true,
    address: {
      localPart: spelling,
      domain,
      normalized: printed,
      // Again: a small letter can take an accent that the capital could not (`T̈`, `ẗ`).
      key: lowerAscii(printed).normalize('NFC'),
      mailbox,
      international: /[^\x00-\x7F]/.test(written),
      subaddress: quoted ? null : subaddressOf(normalized),
    },
  };
}

/**
 * ASCII only: servers fold ASCII letters nearly everywhere, others hardly anywhere, and Unicode's
 * folding would make one address of two that differ.
 */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Subaddressing (RFC 5233) with the separator that providers agree on. */
function subaddressOf(localPart: string): string | null {
  const plus = localPart.indexOf('+');
  return plus > 0 ? localPart.slice(plus + 1) : null;
}
