import { parsedUrl } from '../../kernel/text/parsed-url.js';

const EXAMPLE = 'must be a URL such as postgresql://user:password@host:5432/rcpt';
/** What is most often wrong in a `DATABASE_URL`. */
export const PASSWORD_TIP = 'Write @ and / in a password as %40 and %2F, and %, ? and # as %25, %3F and %23.';
/** The part behind the authority (RFC 3986 §3.2). */
const BEHIND_AUTHORITY = /^[a-z]+:\/\/[^/?#]*(.*)$/s;
const DEFAULT_PORT = '5432';

/**
 * The text unchanged. Behind the host there is no `@`: it would be that of a password with an unescaped
 * `/`, `?` or `#`, whose parts would be read as the host and the database, and appear in messages.
 *
 * @throws RangeError that says what to write.
 */
export function parseDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new RangeError(EXAMPLE);
  const [, behind = ''] = BEHIND_AUTHORITY.exec(text) ?? [];
  if (behind.includes('@') || !isReadable(text)) throw new RangeError(`${EXAMPLE}. ${PASSWORD_TIP}`);
  return text;
}

/** `host:port`, or the directory of the socket. @param url from `parseDatabaseUrl`. */
export function databaseTarget(url: string): string {
  const { hostname, port, searchParams } = urlOf(url);
  const host = searchParams.get('host') ?? (decodeURIComponent(hostname) || 'localhost');
  return host.startsWith('/') ? host : `${host}:${searchParams.get('port') ?? (port || DEFAULT_PORT)}`;
}

function isReadable(text: string): boolean {
  try {
    const { username, password, pathname } = urlOf(text);
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Credentials without a host, which is then a parameter, are accepted by `pg` and not by `URL`. */
function urlOf(text: string): URL {
  return new URL(parsedUrl(text) !== null ? text : text.replace('@/', '@localhost/'));
}
