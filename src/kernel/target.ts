import { parsedUrl } from './text/parsed-url.js';

/** Port: which URLs of teams may be requested. */
export abstract class TargetPolicy {
  /** Allows URLs without TLS. */
  abstract readonly allowHttp: boolean;

  /** False: the host is an IP address or a local name that may not be dialled. */
  abstract allowsHost(host: string): boolean;
}

/** Ports below this are reserved for other services, except those of the web. */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS = [80, 443];
/** For a receiver on the machine of the service. */
const LOOPBACK = '127.0.0.0/8';

/** What the sentences say about a kind of URL. */
interface TargetWords {
  example: string;
  /** What is sent in place of a user and a password. */
  credentials: string;
}

/**
 * What is wrong with the URL of a team, as a sentence with the correction; null: the URL is valid. The
 * address behind a name is checked at every connection.
 */
export function targetError(text: string, policy: TargetPolicy, words: TargetWords): string | null {
  if (parsedUrl(text) === null || /[\p{Cc}\s]/u.test(text)) return `Send a URL, such as ${words.example}.`;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Send a URL that begins with https://.';
  if (url.protocol === 'http:' && !policy.allowHttp)
    return 'Send a URL that begins with https://. Plain HTTP is allowed where the operator sets WEBHOOK_ALLOW_HTTP=true.';
  if (url.username !== '' || url.password !== '')
    return `Send a URL without user and password. ${words.credentials}`;
  if (url.hash !== '') return 'Send a URL without a fragment (#…).';
  if (!isOpenPort(url)) return 'Send a URL with port 80, 443, or one from 1024 to 65535.';
  if (!policy.allowsHost(url.hostname))
    return `Send a URL that is reached through the Internet; ${url.hostname} is not. The operator can allow networks with WEBHOOK_ALLOW_CIDRS, such as ${LOOPBACK}.`;
  return null;
}

/** Whether the port may be dialled for a stranger: it is of the web, or reserved for no other service. */
export function isOpenPort({ port }: URL): boolean {
  return port === '' || WEB_PORTS.includes(Number(port)) || Number(port) >= FIRST_FREE_PORT;
}
