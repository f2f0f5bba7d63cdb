import { MAILBOX_RULES, type MailboxRule } from '../providers/mailbox-rules.js';

const RULES: ReadonlyMap<string, MailboxRule> = new Map(
  MAILBOX_RULES.flatMap((rule) => rule.domains.map((domain) => [domain, rule] as const)),
);

/** A dot-string of ASCII characters (RFC 5321 §4.1.2). A quoted string is no name of these providers. */
const NAME = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** A name in a subdomain; with `-` it may be that of another mailbox with `_`. */
const LABEL = /^[a-z0-9]+$/;

/** As `EmailAddress` and a verdict have them; null: the text is no address. */
interface AddressParts {
  localPart: string | null;
  domain: string | null;
}

/**
 * The mailbox that the spelling of an address leads to; null: the rule of the provider is not known. Addresses with
 * the same one have one owner. Mail goes to the address as it was written.
 */
export function canonicalEmail({ localPart, domain }: AddressParts): string | null {
  if (localPart === null || domain === null) return null;
  const rule = RULES.get(domain);
  if (rule === undefined) return ofSubdomain(domain);
  const name = nameIn(localPart.toLowerCase(), rule);
  return name === null ? null : `${name}@${rule.domain ?? domain}`;
}

function nameIn(localPart: string, { separator, ignoresDots }: MailboxRule): string | null {
  const end = separator === undefined ? -1 : localPart.indexOf(separator);
  const written = end === -1 ? localPart : localPart.slice(0, end);
  const name = ignoresDots === true ? written.replaceAll('.', '') : written;
  return NAME.test(name) ? name : null;
}

function ofSubdomain(domain: string): string | null {
  const dot = domain.indexOf('.');
  const parent = domain.slice(dot + 1);
  if (RULES.get(parent)?.hasSubdomains !== true) return null;
  const name = domain.slice(0, dot);
  return LABEL.test(name) ? `${name}@${parent}` : null;
}
