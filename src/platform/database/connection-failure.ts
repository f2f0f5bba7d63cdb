import { connectionCause } from '../../kernel/text/connection-cause.js';
import { ConfigError } from '../config/config.js';
import { databaseTarget, PASSWORD_TIP } from '../config/database-url.js';

interface ConnectionFailure {
  /** `host:port`, or the directory of a socket. */
  target: string;
  cause: string;
  /** What to change; empty: the cause says it. */
  advice: string;
  /** Whether waiting may help: the server is starting, or is restarted. */
  passes: boolean;
}

type Kind = Omit<ConnectionFailure, 'target' | 'cause'> & { cause?: string };

/** Of a connection that has no server, which may be starting. */
const NETWORK: Kind = {
  advice: 'Correct the host and the port, or let the server accept connections.',
  passes: true,
};

/** By the code of the operating system or the SQLSTATE. Without a cause, the message of the server is it. */
const KINDS: Readonly<Record<string, Kind>> = {
  // The socket of a server that has not started yet.
  ENOENT: { ...NETWORK, cause: 'there is no such socket' },
  EAI_AGAIN: { advice: '', passes: true },
  ENOTFOUND: { advice: `Correct it. ${PASSWORD_TIP}`, passes: false },
  // cannot_connect_now, too_many_connections
  '57P03': { advice: '', passes: true },
  '53300': { advice: 'Raise max_connections, or run fewer processes.', passes: true },
  // invalid_password, invalid_authorization_specification, invalid_catalog_name
  '28P01': { advice: `Correct the user and the password. ${PASSWORD_TIP}`, passes: false },
  '28000': { advice: 'Correct the user, or pg_hba.conf of the server.', passes: false },
  '3D000': { advice: 'Create the database, or correct its name.', passes: false },
  // Of `pg`, without a code.
  SASL: { cause: 'the server requires a password, and the URL has none', advice: '', passes: false },
  SSL: { advice: 'Change sslmode in the URL.', passes: false },
};

/** For errors of `pg` without a code, by their message. */
const CODES: readonly [pattern: RegExp, code: string][] = [
  [/timeout/, 'ETIMEDOUT'],
  [/^Connection terminated/, 'ECONNRESET'],
  [/^SASL.*password must be/, 'SASL'],
  [/SSL/, 'SSL'],
];

/** @param url from `parseDatabaseUrl`. @returns null: the error is not about the connection. */
export function connectionFailure(error: unknown, url: string): ConnectionFailure | null {
  const { message, code: ownCode } = error as { code?: string; message: string };
  const code = ownCode ?? CODES.find(([pattern]) => pattern.test(message))?.[1] ?? '';
  const networkCause = connectionCause(code);
  const kind = KINDS[code] ?? (networkCause === null ? null : NETWORK);
  if (kind === null) return null;
  const cause = kind.cause ?? networkCause ?? message.split('\n', 1)[0]!;
  return { ...kind, target: databaseTarget(url), cause };
}

/** The error of a start that has no connection. @returns a ConfigError if waiting does not help. */
export function connectionError({ target, cause, advice, passes }: ConnectionFailure): Error {
  const sentence = `DATABASE_URL: no connection to ${target}: ${cause}. ${advice}`.trimEnd();
  return passes ? new Error(sentence) : new ConfigError(sentence);
}
