import { ConfigError } from '../config/config.js';
import { databaseTarget, PASSWORD_TIP } from '../config/database-url.js';

/** Why there is no connection to the database. */
interface ConnectionFailure {
  /** `host:port`, or the directory of a socket. */
  target: string;
  cause: string;
  /** What to change; empty: the cause says it. */
  advice: string;
  /** Whether waiting may help: the server is starting, or is restarted. */
  passes: boolean;
}

type Kind = Pick<ConnectionFailure, 'passes'> & { cause?: string; advice?: string };

const ADDRESS = 'Correct the host and the port, or let the server accept connections.';

/** By the code of the operating system or the SQLSTATE. Without a cause, the message of the server is it. */
const KINDS: Readonly<Record<string, Kind>> = {
  ECONNREFUSED: { cause: 'nothing listens there', advice: ADDRESS, passes: true },
  ECONNRESET: { cause: 'the connection was closed', advice: ADDRESS, passes: true },
  EPIPE: { cause: 'the connection was closed', advice: ADDRESS, passes: true },
  ETIMEDOUT: { cause: 'it does not answer', advice: ADDRESS, passes: true },
  EHOSTUNREACH: { cause: 'it cannot be reached from here', advice: ADDRESS, passes: true },
  ENETUNREACH: { cause: 'it cannot be reached from here', advice: ADDRESS, passes: true },
  EAI_AGAIN: { cause: 'the host name cannot be resolved at present', passes: true },
  // The socket of a server that has not started yet.
  ENOENT: { cause: 'there is no such socket', advice: ADDRESS, passes: true },
  ENOTFOUND: {
    cause: 'the host name does not exist',
    advice: `Correct it. ${PASSWORD_TIP}`,
    passes: false,
  },
  // cannot_connect_now, too_many_connections
  '57P03': { passes: true },
  '53300': { advice: 'Raise max_connections, or run fewer processes.', passes: true },
  // invalid_password, invalid_authorization_specification, invalid_catalog_name
  '28P01': { advice: `Correct the user and the password. ${PASSWORD_TIP}`, passes: false },
  '28000': { advice: 'Correct the user, or pg_hba.conf of the server.', passes: false },
  '3D000': { advice: 'Create the database, or correct its name.', passes: false },
};

/** Errors of `pg` without a code, by their message. */
const MESSAGES: readonly [pattern: RegExp, kind: Kind][] = [
  [/timeout/, { cause: 'it does not answer', advice: ADDRESS, passes: true }],
  [/^Connection terminated/, { cause: 'the connection was closed', advice: ADDRESS, passes: true }],
  [
    /^SASL.*password must be/,
    { cause: 'the server requires a password, and the URL has none', passes: false },
  ],
  [/SSL/, { advice: 'Change sslmode in the URL.', passes: false }],
];

/** @param url from `parseDatabaseUrl`. @returns null: the error is not about the connection. */
export function connectionFailure(error: unknown, url: string): ConnectionFailure | null {
  const { code, message } = error as { code?: string; message: string };
  const kind = code === undefined ? MESSAGES.find(([pattern]) => pattern.test(message))?.[1] : KINDS[code];
  if (kind === undefined) return null;
  return {
    target: databaseTarget(url),
    cause: kind.cause ?? message.split('\n', 1)[0]!,
    advice: kind.advice ?? '',
    passes: kind.passes,
  };
}

/** The error of a start that has no connection. @returns a ConfigError if waiting does not help. */
export function connectionError({ target, cause, advice, passes }: ConnectionFailure): Error {
  const sentence = `DATABASE_URL: no connection to ${target}: ${cause}. ${advice}`.trimEnd();
  return passes ? new Error(sentence) : new ConfigError(sentence);
}
