import { domainToASCII, domainToUnicode } from 'node:url';
import { hasInvisibleCharacter } from './invisible-characters.js';

export type DomainFault =
  | 'domain_empty'
  /** Over 253 octets as A-labels: no name in the DNS is longer (RFC 1035 §2.3.4, 255 with lengths and root). */
  | 'domain_too_long'
  /** A label is empty (a final dot, too), over 63 octets or no LDH label, or the last one is a number. */
  | 'domain_label'
  /** Non-ASCII, or `xn--`, and no international domain name. */
  | 'domain_idna'
  /** An address in brackets: grammatical (RFC 5321 §4.1.3), and nothing that we would dial. */
  | 'address_literal';

export type ParsedDomainName = { ok: true; domain: string } | { ok: false; fault: DomainFault };

const MAX_OCTETS = 253;
const MAX_LABEL_OCTETS = 63;

/** Letters, digits and inner hyphens (RFC 5890 §2.3.1): mail knows no underscore. */
const LDH_LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** "Reserved LDH" (RFC 5890 §2.3.1): hyphens in third and fourth place mean an encoding, and only one exists. */
const UNKNOWN_ENCODING = /^(?!xn)..--/;
const A_LABEL = /(?:^|\.)xn--/i;
const NON_ASCII = /[^\x00-\x7F]/;
/** ASCII, but no letter, digit, hyphen or dot. */
const FOREIGN_ASCII = /[\x00-,/:-@[-`{-\x7F]/;

/**
 * Reads what stands after the `@`.
 *
 * A name without a dot is read: whether mail may go there is the policy's to say.
 *
 * @returns the domain as A-labels in lower case
 */
export function parseDomainName(written: string): ParsedDomainName {
  if (written === '') return { ok: false, fault: 'domain_empty' };
  if (written.startsWith('[') && written.endsWith(']')) return { ok: false, fault: 'address_literal' };
  // Before domainToASCII, which reads the host of a URL: it would decode `%2e`, drop a tab, and
  // stop at `/`, `?` or `#`.
  if (FOREIGN_ASCII.test(written)) return { ok: false, fault: 'domain_label' };

  const international = NON_ASCII.test(written) || A_LABEL.test(written);
  const domain = international ? toALabels(written) : written.toLowerCase();
  if (domain === null) return { ok: false, fault: 'domain_idna' };
  if (domain.length > MAX_OCTETS) return { ok: false, fault: 'domain_too_long' };

  const labels = domain.split('.');
  if (!labels.every(isLabel)) return { ok: false, fault: 'domain_label' };
  // No top-level domain is a number (RFC 3696 §2): this is an IPv4 address without its brackets,
  // also where it is hexadecimal.
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return { ok: false, fault: 'domain_label' };
  return { ok: true, domain };
}

function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL_OCTETS && LDH_LABEL.test(label) && !UNKNOWN_ENCODING.test(label);
}

/**
 * The A-labels of an international name, or null when it is none.
 *
 * `domainToASCII` applies UTS #46, as browsers do: capital and full-width letters and ideographic
 * full stops are mapped before they are encoded. People type those, so they are taken. It also
 * drops what it calls ignored, which would turn two texts that look alike into two domains; and
 * it lets pass hyphens that RFC 5891 §4.2.3.1 forbids and `xn--` labels that hide plain ASCII.
 */
function toALabels(written: string): string | null {
  if (hasInvisibleCharacter(written)) return null;
  const ascii = domainToASCII(written);
  const unicode = domainToUnicode(ascii);
  if (ascii === '' || domainToASCII(unicode) !== ascii) return null;

  const uLabels = unicode.split('.').filter((label) => NON_ASCII.test(label));
  return uLabels.some((label) => /^-|-$|^..--/u.test(label)) ? null : ascii;
}

/**
 * The domain itself, then what is left when one label after the other is taken off its front:
 * `a.b.example` gives `a.b.example`, `b.example`, `example`.
 */
export function domainAndParents(domain: string): string[] {
  const names = [domain];
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1))
    names.push(domain.slice(dot + 1));
  return names;
}
