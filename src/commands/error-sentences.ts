import { connectionCause } from '../kernel/text/connection-cause.js';

/** Errors of the runtime as sentences that name what was tried and what to do. */

type SystemError = Error & {
  code?: string;
  path?: string;
  syscall?: string;
  address?: string;
  port?: number;
};

const FILE_ERRORS: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no file or folder ${path}`,
  EISDIR: (path) => `${path} is a folder; name a file`,
  ENOTDIR: (path) => `${path} is below a file, not a folder`,
  EACCES: (path) => `this user may not read or write ${path}; change its permissions, or name another file`,
  EPERM: (path) => `this user may not read or write ${path}; change its permissions, or name another file`,
  EROFS: (path) => `${path} is on a read-only file system; name another file`,
};

/** Failures of a disk or a limit of the system: the same command may succeed later. */
const IO_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space, and run the same command again',
  EDQUOT: 'the quota of this user on the disk is used up; free some space, and run the same command again',
  EFBIG: 'the file would be larger than a limit of the system allows (ulimit -f)',
  EIO: 'the disk reports an I/O error',
};

const NO_TLS = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'];
/** Codes of OpenSSL for certificates. */
const CERTIFICATE_ERROR = /CERT|UNABLE_TO_|ALTNAME/;

/** Whether the cause is the disk, and not what the arguments say. */
export function isIoError(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as SystemError;
  return Object.hasOwn(IO_ERRORS, code);
}

/** @returns null: the error is of another kind. */
export function fileSentence(error: unknown): string | null {
  const { code = '', path } = (error ?? {}) as SystemError;
  if (isIoError(error)) return IO_ERRORS[code] ?? null;
  return path === undefined ? null : (FILE_ERRORS[code]?.(path) ?? null);
}

/** @param host with its port. */
export function hostSentence(error: unknown, host: string): string {
  const { code = '', message } = rootOf(error);
  const cause = connectionCause(code);
  if (cause !== null) return `no connection to ${host}: ${cause}`;
  if (NO_TLS.includes(code)) return `${host} does not speak TLS; write http:// instead of https://`;
  if (CERTIFICATE_ERROR.test(code))
    return `the certificate of ${host} is not accepted (${code}); name its authority with NODE_EXTRA_CA_CERTS`;
  return `the request to ${host} failed: ${code || message}`;
}

/** A failed connection of a client library. @returns null: the error is of another kind. */
export function connectionSentence(error: unknown): string | null {
  const { code = '', syscall, address, port, ...more } = rootOf(error) as SystemError & { hostname?: string };
  const host = more.hostname ?? (address === undefined ? undefined : `${address}:${port ?? ''}`);
  const cause = connectionCause(code);
  if (host === undefined || cause === null || (syscall !== 'connect' && syscall !== 'getaddrinfo'))
    return null;
  return `no connection to ${host}: ${cause}`;
}

/** The error that caused others: of a host name with several addresses, the first. */
function rootOf(error: unknown): SystemError {
  let root = error as SystemError;
  for (;;) {
    const { cause, errors } = root as { cause?: unknown; errors?: unknown[] };
    const next = errors?.[0] ?? cause;
    if (typeof next !== 'object' || next === null) return root;
    root = next as SystemError;
  }
}
