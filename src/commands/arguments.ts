import { InvalidArgumentError } from 'commander';
import { isIP } from 'node:net';
import { MAX_AGE } from '../kernel/list-files/list-format.js';
import { DELIMITER, MAX_HEADER_LINE } from '../kernel/list-files/csv/csv-reading.js';
import { nameError, remarkError } from '../kernel/text/text-rules.js';
import { webOriginOf } from '../kernel/text/web-origin.js';
import { STATUSES, type Status } from '../kernel/verdict.js';
import { networkOf } from '../platform/net/cidr.js';

const MAX_GRACE_SECONDS = 2_592_000;
const MAX_ENTRIES = 10_000;
const MAX_NOTE_LENGTH = 200;

/** `noun.verb` */
export function auditAction(text: string): string {
  if (!/^[a-z]+\.[a-z_]+$/.test(text))
    throw new InvalidArgumentError('It must be an action, such as key.created.');
  return text;
}

/** A day, or a time of RFC 3339 in UTC. */
export function utcTime(text: string): Date {
  const value = new Date(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/.test(text) ? text : '');
  // JavaScript reads February 31 as March 3.
  if (Number.isNaN(value.getTime()) || !value.toISOString().startsWith(text.slice(0, 10)))
    throw new InvalidArgumentError('It must be a time in UTC, such as 2026-01-31 or 2026-01-31T12:00:00Z.');
  return value;
}

export function entryCount(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > MAX_ENTRIES)
    throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_ENTRIES}.`);
  return value;
}

export function graceSeconds(text: string): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Infinity;
  if (value > MAX_GRACE_SECONDS)
    throw new InvalidArgumentError(`It must be a number from 0 to ${MAX_GRACE_SECONDS} (30 days).`);
  return value;
}

export function maxAgeSeconds(text: string): number {
  const value = /^\d{1,8}$/.test(text) ? Number(text) : Infinity;
  if (value > MAX_AGE) throw new InvalidArgumentError(`It must be a number from 0 to ${MAX_AGE} (a year).`);
  return value;
}

/** `0.0.0.0:1080` or `[::]:1080`. */
export function hostAndPort(text: string): { host: string; port: number } {
  const [, ipv6, ipv4, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = ipv6 ?? ipv4 ?? '';
  const version = ipv6 === undefined ? 4 : 6;
  if (isIP(host) !== version || host.includes('%'))
    throw new InvalidArgumentError('It must be an IP address and a port, such as 0.0.0.0:1080 or [::]:1080.');
  return { host, port: portNumber(digits ?? '') };
}

/** One character, or `tab`. */
export function delimiter(text: string): string {
  const character = text === 'tab' ? '\t' : text;
  if (!DELIMITER.test(character))
    throw new InvalidArgumentError(
      'It must be one character such as ; or |, or tab; letters, digits and " @ . _ + - are none.',
    );
  return character;
}

/** Of the first lines of a list. */
export function lineNumber(text: string): number {
  const line = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (line < 1 || line > MAX_HEADER_LINE)
    throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_HEADER_LINE}.`);
  return line;
}

export function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a port from 1 to 65535.');
  return port;
}

export function seconds(text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 30)) throw new InvalidArgumentError('It must be a number from 1 to 30.');
  return value;
}

export function name(text: string): string {
  const error = nameError(text.trim());
  if (error !== null) throw new InvalidArgumentError(error.message);
  return text;
}

/** Once for each network; the usual form of those before and this one. */
export function networks(text: string, previous: readonly string[] = []): string[] {
  const found = networkOf(text);
  if (found === null)
    throw new InvalidArgumentError('It must be a network such as 192.0.2.0/24 or 2001:db8::/32.');
  if (found.hasHostBits) throw new InvalidArgumentError(`The network of this address is ${found.network}.`);
  return [...previous, found.network];
}

/** Appends the value to the previous ones. */
export function origins(text: string, before: readonly string[] = []): string[] {
  const origin = webOriginOf(text);
  if (origin === null)
    throw new InvalidArgumentError('It must be https (http for localhost), a host and at most a port.');
  return [...before, origin];
}

/** A text that may be given several times. */
export function repeated(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

export function note(text: string): string {
  const error = remarkError(text, MAX_NOTE_LENGTH);
  if (error !== null) throw new InvalidArgumentError(error.message);
  return text;
}

export function statuses(text: string): Status[] {
  const names = text.split(',').map((word) => word.trim());
  const unknown = names.find((word) => !STATUSES.includes(word as Status));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`It must be one or more of ${STATUSES.join(', ')}, with commas.`);
  // In a fixed order, so that the same filter resumes the same run.
  return STATUSES.filter((status) => names.includes(status));
}
