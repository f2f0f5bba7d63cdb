import { isIP } from 'node:net';
import { isCidr } from '../net/cidr.js';
import { parseDnsServer } from '../net/dns-server.js';

/** Formats of several variables. Parsers throw a RangeError that says what to write, without quoting the text. */

/** The items of a comma-separated list, trimmed, without empty ones. */
export function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds. */
export function parseDuration(text: string): number {
  if (!/^\d{1,6}\s*[smhd]$/.test(text)) {
    throw new RangeError('must be a number with its unit, such as 90m, 2h or 1d');
  }
  return parseInt(text, 10) * (UNIT_MS[text.slice(-1)] ?? 0);
}

/**
 * The number of proxies, or their addresses and networks. A network that contains all addresses is
 * rejected, because every caller could then forge its address.
 */
export function parseTrustedProxies(text: string): number | string[] {
  const items = itemsOf(text);
  const [first = ''] = items;
  if (items.length === 1 && /^\d{1,2}$/.test(first)) return Number(first);
  if (items.every((item) => !/\/0+$|%/.test(item) && (isIP(item) !== 0 || isCidr(item)))) return items;
  throw new RangeError(
    'must be the number of proxies in front of Rcpt, or their networks such as 10.0.0.0/8, comma-separated',
  );
}

/** 32 bytes in base64, with or without padding. */
export function isSecretKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
}

/** `address` or `egress=address`. */
export function isEgressIp(text: string): boolean {
  const address = text.slice(text.lastIndexOf('=') + 1);
  return isIP(address) !== 0 && !address.includes('%') && !text.startsWith('=');
}

export function isResolver(text: string): boolean {
  return parseDnsServer(text) !== null;
}

const HOST_NAME = /^(?=.*[a-z0-9])[a-z0-9.-]+$/i;
const LITERAL = /^\[(IPv6:)?([0-9a-f:.]+)\]$/i;

/** A name for EHLO, or an address literal: `[192.0.2.1]` or `[IPv6:2001:db8::1]` (RFC 5321 §4.1.3). */
export function isEhloName(text: string): boolean {
  const [, tag, address = ''] = LITERAL.exec(text) ?? [];
  if (address !== '') return isIP(address) === (tag === undefined ? 4 : 6);
  return HOST_NAME.test(text) && text.length <= 255;
}

const SENDER = /^[^\s<>@\p{Cc}]+@[^\s<>@\p{Cc}]+$/u;

/** Whether the text is an address in the form of `MAIL FROM`. */
export function isSenderAddress(text: string): boolean {
  return SENDER.test(text) && text.length <= 254;
}
