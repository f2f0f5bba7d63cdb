import { parseDomainName } from '../../kernel/text/domain-name.js';
import { withoutSurroundingSpace } from '../../kernel/text/surrounding-space.js';
import { suggestDomain, TARGETS } from './did-you-mean.js';
import { parseEmailAddress } from './email-address.js';
import { freeProvider } from '../providers/free-providers.js';

/** UTF-16 units. A longer text is not the typing error of an address. */
const MAX_TEXT_LENGTH = 320;

/**
 * The address that was probably meant by a text whose domain, or whose `@`, has a typing error that makes it
 * invalid: `gmail..com`, `gmail,com`, `@@gmail.com`. null: none is likely, or the text is an address.
 */
export function repairAddress(written: string): string | null {
  const text = withoutSurroundingSpace(written);
  if (text.length > MAX_TEXT_LENGTH || parseEmailAddress(text).ok) return null;
  const [localPart, domain] = text.includes('@') ? repairedParts(text) : partsWithoutAt(text);
  if (domain === null) return null;
  const parsed = parseEmailAddress(`${localPart}@${domain}`);
  return parsed.ok ? `${parsed.address.localPart}@${parsed.address.domain}` : null;
}

type Parts = readonly [localPart: string, domain: string | null];

/** Several `@` count as one if they divide the text into one local part and one domain. */
function repairedParts(text: string): Parts {
  const [localPart = '', ...written] = text.split('@').filter((part) => part !== '');
  const [domain = null, ...others] = written.map(repairDomain);
  const isOne = domain !== null && others.every((other) => other === domain);
  return [localPart.trim(), isOne ? domain : providerMeant(written.join('.'))];
}

/** What users write instead of `@`, at the end of a text. */
const SEPARATOR = /(?:[.,;:#"' ]| at |[([{]at[)\]}]){1,3}$/i;
/** A text such as `www.gmail.com` is a host name. */
const HOST = /^(?:www|mail|m|webmail|login|accounts?|smtp|imap|pop3?)$/i;

function partsWithoutAt(text: string): Parts {
  const lowerCase = text.toLowerCase();
  for (const target of TARGETS) {
    if (!lowerCase.endsWith(target)) continue;
    const before = text.slice(0, -target.length);
    const localPart = before.replace(SEPARATOR, '');
    if (localPart !== before && !HOST.test(localPart)) return [localPart, target];
  }
  return ['', null];
}

/** Well-known providers whatever stands for a dot or beside it; other domains only with dots and commas. */
function repairDomain(written: string): string | null {
  const plain = written.normalize('NFKC').toLowerCase();
  const provider =
    providerMeant(plain.replace(/[^a-z0-9-]+/g, '.')) ?? providerMeant(plain.replace(/[^a-z0-9.]+/g, ''));
  if (provider !== null) return provider;
  const name = withoutOuterDots(plain.replace(/[.,]+/g, '.'));
  const parsed = parseDomainName(name);
  if (!parsed.ok || !name.includes('.') || (plain.includes(',') && !COMMA_FOR_DOT.test(plain))) return null;
  return suggestDomain(parsed.domain) ?? parsed.domain;
}

/** Behind a whole domain a comma separates it from another text. */
const COMMA_FOR_DOT = /^[^.,]+,(?:[^.]*[.,])?(?:com|net|org|edu|gov|info|biz|[a-z]{2})$/;

function providerMeant(written: string): string | null {
  const domain = withoutOuterDots(written);
  const meant = suggestDomain(domain) ?? domain;
  return freeProvider(meant);
}

function withoutOuterDots(name: string): string {
  return name.replace(/^\./, '').replace(/\.$/, '');
}
