import { parsedUrl } from '../../kernel/text/parsed-url.js';

/** A SOCKS5 proxy (`SMTP_PROXY_URL`, `SMTP_EGRESS`). */
export interface SocksProxy {
  /** Host name or IP address. */
  host: string;
  port: number;
  /** 1–255 octets each (RFC 1929 §2); null: no authentication. */
  credentials: { username: string; password: string } | null;
  /** SHA-256 of its certificate, in lower-case hexadecimal digits; null: a proxy without TLS. */
  pin: string | null;
}

const DEFAULT_PORT = 1080;
const MAX_CREDENTIAL_OCTETS = 255;
const CONTROL = /\p{Cc}/u;
const FORM = 'a URL such as socks5://user:password@proxy.example.org:1080';
const PIN = /^sha256:([\da-f]{64})$/i;
const PIN_FORM =
  'must have a socks5s:// URL with ?pin=sha256: and the 64 hexadecimal digits of the certificate, as rcpt egress prints it';

/**
 * @throws RangeError that says what to set. It does not quote the text, which may contain a password.
 */
export function parseSocksProxy(text: string): SocksProxy {
  // Checked before the URL parser, which drops line ends and tabs.
  if (CONTROL.test(text)) throw controlCharacterError();
  if (/^socks5h:/i.test(text)) {
    throw new RangeError(`must be ${FORM}: with socks5, since names are always resolved here`);
  }
  const url = parsedUrl(text);
  const isTls = url?.protocol === 'socks5s:';
  if (url === null || !(isTls || url.protocol === 'socks5:')) throw new RangeError(`must be ${FORM}`);
  if (url.hostname === '' || url.port === '0' || hasPathOrFragment(url) || (!isTls && url.search !== '')) {
    throw new RangeError(`must be ${FORM}`);
  }
  return {
    host: decoded(url.hostname).replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    credentials: credentialsOf(decoded(url.username), decoded(url.password)),
    pin: isTls ? pinOf(url) : null,
  };
}

function hasPathOrFragment({ pathname, hash }: URL): boolean {
  return !['', '/'].includes(pathname) || hash !== '';
}

/** Without a pin, anybody on the way could take the place of the proxy. */
function pinOf({ searchParams }: URL): string {
  const pin = PIN.exec(searchParams.get('pin') ?? '')?.[1];
  if (pin === undefined || searchParams.size !== 1) throw new RangeError(PIN_FORM);
  return pin.toLowerCase();
}

function credentialsOf(username: string, password: string): SocksProxy['credentials'] {
  if (username === '' && password === '') return null;
  if (CONTROL.test(username + password)) throw controlCharacterError();
  if (![username, password].every(fits)) {
    throw new RangeError(
      `must have a user and a password of 1 to ${MAX_CREDENTIAL_OCTETS} octets each, or neither`,
    );
  }
  return { username, password };
}

function fits(credential: string): boolean {
  return credential !== '' && Buffer.byteLength(credential) <= MAX_CREDENTIAL_OCTETS;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new RangeError('must have a percent sign in a user or password written as %25');
  }
}

function controlCharacterError(): RangeError {
  return new RangeError('must have no line end, NUL or other control character, not even percent-encoded');
}
