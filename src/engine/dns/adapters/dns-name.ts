import { isIP } from 'node:net';

/**
 * Lengths as in RFC 1035 §2.3.4. The characters are those of a host or mail domain (RFC 1123 §2.1), and
 * `_`.
 */
export function isDnsName(name: string): boolean {
  return (
    name.length <= 253 &&
    isIP(name) === 0 &&
    name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/i.test(label))
  );
}

/**
 * Normalizes a name from a message: lower case, no final dot, the root as ''. A label may hold any byte
 * (RFC 2181 §11); control characters, white space and invalid characters become `?`, so that the name
 * is safe in logs and in the database.
 */
export function normalizeDnsName(name: string): string {
  if (NORMALIZED.test(name)) return name;
  return name
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/[\p{C}\s\uFFFD]/gu, '?');
}

/** Matches names that are already normalized, as most are. */
const NORMALIZED = /^[a-z0-9._-]*[a-z0-9_-]$/;
