import { domainToASCII, domainToUnicode } from 'node:url';
import { hasInvisibleCharacter } from './invisible-characters.js';

export type DomainNameError =
  | 'domain_empty'
  /** Over 253 octets as A-labels, the maximum in the DNS (RFC 1035 §2.3.4: 255 with length octets and root). */
  | 'domain_too_long'
  /** A label is empty (including after a final dot), longer than 63 octets or not an LDH label, or the last label is a number. */
  | 'domain_label'
  /** Contains non-ASCII characters or `xn--`, but is not a valid internationalized domain name. */
  | 'domain_idna'
  /** An address literal in brackets: valid syntax (RFC 5321 §4.1.3), but not supported. */
  | 'address_literal';

type ParsedDomainName = { ok: true; domain: string } | { ok: false; error: DomainNameError };

const MAX_OCTETS = 253;

/** Up to 63 letters, digits and inner hyphens (RFC 5890 §2.3.1). Mail domains have no underscores. */
const LDH_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** "Reserved LDH" labels (RFC 5890 §2.3.1) have hyphens in positions 3 and 4. `xn--` is the only defined prefix. */
const NOT_RESERVED = '(?!(?!xn)[^.]{2}--)';
const LABEL = `${NOT_RESERVED}${LDH_LABEL}`;
/** One expression for all labels: dividing a name costs more than the rest of its checks. */
const LABELS = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);
/** A top-level domain is never numeric (RFC 3696 §2). A numeric last label is an IPv4 address, decimal or hexadecimal. */
const NUMERIC_END = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;
const A_LABEL = /(?:^|\.)xn--/i;
const NON_ASCII = /[^\x00-\x7F]/;
/** ASCII characters other than letters, digits, hyphen and dot. */
const INVALID_ASCII = /[\x00-,/:-@[-`{-\x7F]/;

/**
 * Parses the part of an address after the `@`. Names without a dot are valid here; the verification
 * policy decides whether they can receive mail.
 *
 * @returns the domain as A-labels in lower case
 */
export function parseDomainName(written: string): ParsedDomainName {
  if (written === '') return { ok: false, error: 'domain_empty' };
  if (written.startsWith('[') && written.endsWith(']')) return { ok: false, error: 'address_literal' };
  // Checked before domainToASCII, which parses a URL host: it decodes `%2e`, drops tabs, and
  // stops at `/`, `?` or `#`.
  if (INVALID_ASCII.test(written)) return { ok: false, error: 'domain_label' };

  const international = NON_ASCII.test(written) || A_LABEL.test(written);
  const domain = international ? toALabels(written) : written.toLowerCase();
  if (domain === null) return { ok: false, error: 'domain_idna' };
  if (domain.length > MAX_OCTETS) return { ok: false, error: 'domain_too_long' };

  if (!LABELS.test(domain) || NUMERIC_END.test(domain)) return { ok: false, error: 'domain_label' };
  return { ok: true, domain };
}

/**
 * The A-labels of an internationalized domain name, or null if it is not valid.
 *
 * `domainToASCII` applies UTS #46, as browsers do: it maps capital and full-width letters and
 * ideographic full stops before encoding. It also drops ignored characters, accepts hyphens that
 * RFC 5891 §4.2.3.1 forbids, and accepts `xn--` labels that decode to ASCII. These three cases are
 * rejected here.
 */
function toALabels(written: string): string | null {
  if (hasInvisibleCharacter(written)) return null;
  const ascii = domainToASCII(written);
  const unicode = domainToUnicode(ascii);
  if (ascii === '' || domainToASCII(unicode) !== ascii) return null;

  const labels = unicode.split('.');
  // Node 24 keeps an A-label that is not valid as it is; earlier versions reject it.
  if (labels.some((label) => A_LABEL.test(label))) return null;
  const uLabels = labels.filter((label) => NON_ASCII.test(label));
  return uLabels.some((label) => /^-|-$|^..--/u.test(label)) ? null : ascii;
}

/** The domain and its parent domains: `a.b.example` gives `a.b.example`, `b.example`, `example`. A longer text is no domain. */
export function domainAndParents(domain: string): string[] {
  const names = [domain];
  if (domain.length > MAX_OCTETS) return names;
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1))
    names.push(domain.slice(dot + 1));
  return names;
}
