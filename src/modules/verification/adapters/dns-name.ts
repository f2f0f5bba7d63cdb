import { isIP } from 'node:net';

/** RFC 1035 §2.3.4 for the lengths; the letters are those a host or mail domain is made of (RFC 1123 §2.1), and `_`. */
export function isDnsName(name: string): boolean {
  return (
    name.length <= 253 &&
    isIP(name) === 0 &&
    name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/i.test(label))
  );
}

/**
 * A name from a message as this service writes it: lower case, no final dot,
 * the root as ''. A label may hold any byte (RFC 2181 §11); those that would
 * break a log line, a terminal or a database's text become `?`.
 */
export function presentName(name: string): string {
  if (PRESENTABLE.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/[\p{C}\s\uFFFD]/gu, '?');
}

/** As nearly all names come that are asked about. */
const PRESENTABLE = /^[a-z0-9._-]*[a-z0-9_-]$/;
