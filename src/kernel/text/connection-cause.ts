const CLOSED = 'the connection was closed';
const SILENT = 'it does not respond';
const UNREACHABLE = 'it cannot be reached from here';

/** By the codes of the operating system and of the HTTP client of Node. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  ETIMEDOUT: SILENT,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EAI_AGAIN: 'the host name cannot be resolved at present',
  ENOTFOUND: 'the host name does not exist',
  UND_ERR_SOCKET: CLOSED,
  UND_ERR_CONNECT_TIMEOUT: SILENT,
  UND_ERR_HEADERS_TIMEOUT: SILENT,
  UND_ERR_BODY_TIMEOUT: SILENT,
};

/** Why there is no connection to a host. @returns null: the error is of another kind. */
export function connectionCause(code: string): string | null {
  return CAUSES[code] ?? null;
}
