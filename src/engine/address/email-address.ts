import { addressesIn } from '../../kernel/text/addresses-in-text.js';
import { withoutSurroundingSpace } from '../../kernel/text/surrounding-space.js';
import { type DomainNameError, parseDomainName } from '../../kernel/text/domain-name.js';
import { type LocalPartError, parseLocalPart } from './local-part.js';
import type { Verdict } from '../../kernel/verdict.js';

/** What is wrong with a text that is not a supported address. */
export type AddressSyntaxError =
  | 'empty'
  | 'no_at_sign'
  | 'too_long'
  /** More than one address. */
  | 'several_addresses'
  /** One address, and what programs put around it: a name, a scheme, brackets, a final mark. */
  | 'wrapped'
  | LocalPartError
  | DomainNameError;

/** A parsed address; every text in it is free of CR, LF and NUL, and of `<` and `>` outside quotes. */
export interface EmailAddress {
  /** The local part as written, with its quotes; NFC. */
  localPart: string;
  /** A-label, lower case, no final dot. */
  domain: string;
  /** `localPart@domain` without unnecessary quotes and escapes; NFC: for display. */
  normalized: string;
  /**
   * The identity of an address (cache, duplicates, charge): `normalized` with ASCII letters in lower
   * case; NFC.
   */
  key: string;
  /** `localPart@domain` with the quotes as written, in NFC (RFC 6532 §3.1): sent in RCPT. */
  mailbox: string;
  /** `mailbox` has non-ASCII characters: the server must offer SMTPUTF8 (RFC 6531). */
  international: boolean;
  /**
   * The mailbox as written, for a server that does not know the one in NFC; it requires SMTPUTF8. null:
   * it was written in NFC.
   */
  mailboxAsWritten: string | null;
  /**
   * The text after the first `+` (may be empty); null without a `+`, with nothing before it, or where
   * quotes are needed.
   */
  subaddress: string | null;
}

export type ParsedAddress = { ok: true; address: EmailAddress } | { ok: false; error: AddressSyntaxError };

/** A path is 256 octets with its `<` and `>` (RFC 5321 §4.5.3.1.3). */
const MAX_OCTETS = 254;
/** UTF-16 units: room for the longest domain in U-labels, and a limit on the work for one text. */
const MAX_TEXT_LENGTH = 1_000;
const NON_ASCII = /[^\x00-\x7F]/;
/**
 * Marks that a valid address may have at its ends, although it is not known to have them: the apostrophe by which a
 * spreadsheet marks a text, and typographic quotation marks.
 */
const MARKED = /^['“”„«»‹›‘’‚]|[“”„«»‹›‘’‚]$/;

/**
 * Parses a Mailbox (RFC 5321 §4.1.2, with the UTF-8 of RFC 6531 §3.3): no display name, angle brackets or
 * comments. White space and invisible characters around it are ignored, since copies and spreadsheets add them;
 * inside they are an error.
 *
 * Takes time linear in the length: of the white space, or of the first 1,000 characters without it.
 */
export function parseEmailAddress(written: string): ParsedAddress {
  const text = withoutSurroundingSpace(written);
  const parsed = parseMailbox(text);
  if (parsed.ok && !MARKED.test(text)) return parsed;
  const within = addressesWithin(text);
  if (within.length === 0 || (within.length === 1 && isOpenQuote(text))) return parsed;
  return { ok: false, error: within.length === 1 ? 'wrapped' : 'several_addresses' };
}

/** It may begin a quoted local part as well. */
function isOpenQuote(text: string): boolean {
  return text.startsWith('"') && !text.includes('"', 1);
}

/** The first two valid addresses in a text that is none itself. */
export function addressesWithin(text: string): EmailAddress[] {
  const found = new Map<string, EmailAddress>();
  for (const part of addressesIn(text)) {
    const parsed = part === text ? null : parseMailbox(part);
    if (parsed?.ok === true) found.set(parsed.address.key, found.get(parsed.address.key) ?? parsed.address);
    if (found.size === 2) break;
  }
  return [...found.values()];
}

/** @param text without white space around it. */
export function parseMailbox(text: string): ParsedAddress {
  if (text === '') return { ok: false, error: 'empty' };
  if (text.length > MAX_TEXT_LENGTH) return { ok: false, error: 'too_long' };
  // The last one: a quoted string may contain others, a domain cannot.
  const at = text.lastIndexOf('@');
  if (at === -1) return { ok: false, error: 'no_at_sign' };

  const writtenLocal = text.slice(0, at);
  const local = parseLocalPart(writtenLocal);
  if (!local.ok) return local;
  const parsedDomain = parseDomainName(text.slice(at + 1));
  if (!parsedDomain.ok) return parsedDomain;

  const { spelling, normalized, quoted } = local.localPart;
  const { domain } = parsedDomain;
  const mailbox = `${spelling}@${domain}`;
  // Both are the mailbox itself unless it has quotes or is not in NFC.
  const asWritten = writtenLocal === spelling ? mailbox : `${writtenLocal}@${domain}`;
  const printed = normalized === spelling ? mailbox : `${normalized}@${domain}`;
  if (isTooLong(mailbox) || isTooLong(asWritten) || isTooLong(printed))
    return { ok: false, error: 'too_long' };
  const international = NON_ASCII.test(spelling);

  return {
    ok: true,
    address: {
      localPart: spelling,
      domain,
      normalized: printed,
      key: addressKeyOf(printed),
      mailbox,
      international,
      mailboxAsWritten: asWritten === mailbox ? null : asWritten,
      subaddress: quoted ? null : subaddressOf(normalized),
    },
  };
}

function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > MAX_OCTETS;
}

/** @param normalized `EmailAddress.normalized`. @returns `EmailAddress.key`. */
export function addressKeyOf(normalized: string): string {
  const lowerCase = lowerAscii(normalized);
  // Normalized again: a small letter can compose with an accent where the capital cannot (`T̈`, `ẗ`).
  return NON_ASCII.test(lowerCase) ? lowerCase.normalize('NFC') : lowerCase;
}

/**
 * ASCII only: servers fold ASCII letters nearly everywhere and others hardly anywhere, and Unicode case
 * folding would merge different addresses.
 */
function lowerAscii(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}

/** Subaddressing (RFC 5233) with the separator that providers use. */
function subaddressOf(localPart: string): string | null {
  const plus = localPart.indexOf('+');
  return plus > 0 ? localPart.slice(plus + 1) : null;
}

/**
 * The verdict with the caller's spelling of the address. Verdicts are shared between spellings: of an address
 * (`EmailAddress.key`), or of a mailbox (`canonicalEmail`).
 */
export function inSpelling(verdict: Verdict, email: string): Verdict {
  if (verdict.email === email) return verdict;
  const parsed = parseEmailAddress(email);
  if (!parsed.ok || verdict.normalizedEmail === null) return { ...verdict, email };
  const { normalized, localPart, domain, subaddress } = parsed.address;
  const domainMeant = verdict.didYouMean?.slice(verdict.didYouMean.lastIndexOf('@') + 1);
  return {
    ...verdict,
    email,
    normalizedEmail: normalized,
    localPart,
    domain,
    checks: { ...verdict.checks, subaddress: subaddress !== null },
    didYouMean: domainMeant === undefined ? null : `${localPart}@${domainMeant}`,
  };
}
