import { isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { addressOf, octetsOf } from '../../../platform/net/ip-octets.js';
import { isDnsName, normalizeDnsName } from './dns-name.js';

/** What people write around the name of a host: quotes, brackets, a scheme, a path, the end of a list. */
const BEFORE = /^["'<\s]{1,8}/;
const AFTER = /["'>\s,;]{1,8}$/;
const SCHEME = /^(?:https?|smtps?|mx|dns):\/{0,3}/i;
const PREFERENCE = /^\d{1,5}\s{1,8}(?=[^\s])/;
const PORT = /:\d{1,5}$/;
const LITERAL = /^\[(?:IPv6:)?([^[\]]{2,45})\]$/i;
/** `127.1`, `0x7f000001`: some programs read an address there, and no top-level domain looks so (RFC 3696 §2). */
const NUMBER_AT_END = /(?:^|\.)(?:\d{1,20}|0x[\da-f]{0,20})$/;

/**
 * The exchange of an MX record as the name of a host or an address (RFC 5952), in whichever form people wrote it; the
 * null MX as ''. What is neither is returned as it stands, made safe to display: `isUsableExchange` is false for it.
 *
 * @param written the labels of the record, joined by dots
 */
export function exchangeOf(written: string): string {
  const name = normalizeDnsName(written);
  if (isDnsName(name) && isUsableExchange(name)) return name;
  const bare = bareOf(written);
  const read = addressIn(bare) ?? asciiOf(bare);
  return isUsableExchange(read) ? read : name;
}

/** Whether mail can be sent to it: a host name, or an address that the address policy still has to allow. */
export function isUsableExchange(exchange: string): boolean {
  if (isIP(exchange) !== 0) return !exchange.includes('%');
  return isDnsName(exchange) && !NUMBER_AT_END.test(exchange);
}

function bareOf(written: string): string {
  const plain = written.replaceAll('\\', '').replace(BEFORE, '').replace(AFTER, '').replace(PREFERENCE, '');
  const [host = ''] = plain.replace(SCHEME, '').split('/');
  const bare = isIPv6(host) ? host : host.replace(PORT, '');
  return bare.replace(/\.{1,8}$/, '');
}

function addressIn(bare: string): string | null {
  const address = LITERAL.exec(bare)?.[1] ?? bare;
  return isIP(address) === 0 || address.includes('%') ? null : addressOf(octetsOf(address));
}

/** A U-label as its A-label (RFC 5890 §2.3.2.1). */
function asciiOf(bare: string): string {
  return /^[\x21-\x7e]*$/.test(bare) ? bare.toLowerCase() : domainToASCII(bare);
}
