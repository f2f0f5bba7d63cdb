import { types } from 'node:util';

/** Connection refused or reset, too many connections, or timeout: SQLSTATE classes 08, 53 and 57, and errors of the pool and the socket. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!types.isNativeError(thrown)) return false;
  const code = (thrown as { code?: unknown }).code;
  if (typeof code === 'string' && /^(08|53|57|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)/.test(code))
    return true;
  return /^(Connection terminated|timeout exceeded when trying to connect)/.test(thrown.message);
}
