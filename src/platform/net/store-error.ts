/** Log fields for an error of Redis. The message is omitted, because it may contain a password. */
interface StoreError {
  code: string;
  /** `host:port`. */
  host: string;
}

/** @param url of the store; user and password are omitted. */
export function storeError(error: Error & { code?: string }, url: string): StoreError {
  const { host } = new URL(url);
  // ioredis sets no code for timeouts and error replies. An error reply starts with its code.
  const code = error.code ?? (/timed? ?out/i.test(error.message) ? 'ETIMEDOUT' : replyCodeOf(error.message));
  return { code, host };
}

/** Code of an error reply: `WRONGPASS`, `NOAUTH`, `MAXCLIENTS`. */
function replyCodeOf(message: string): string {
  return /^(?:ERR|[A-Z]{4,})\b/.exec(message)?.[0] ?? 'ECONNRESET';
}
