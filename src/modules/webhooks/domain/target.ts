/** What an operator has decided about receivers. */
export abstract class TargetPolicy {
  /** Receivers may be reached without TLS. */
  abstract readonly allowHttp: boolean;

  /** False: this host of a URL is an address, or this machine, and may not be dialled. */
  abstract allowsHost(host: string): boolean;
}

/** Ports below this belong to other services, but for those of the web. */
const FIRST_FREE_PORT = 1024;
const WEB_PORTS = [80, 443];

/**
 * What is wrong with a receiver's URL, as a sentence that says what to send instead; null: nothing
 * that can be told from the URL. Where a name leads is looked at whenever it is dialled.
 */
export function faultOfTarget(text: string, policy: TargetPolicy): string | null {
  if (!URL.canParse(text) || /[\p{Cc}\s]/u.test(text)) return 'Send a URL, as in https://example.com/hooks.';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Send a URL that begins with https://.';
  if (url.protocol === 'http:' && !policy.allowHttp)
    return 'Send a URL that begins with https://; this service sends nothing without TLS.';
  if (url.username !== '' || url.password !== '')
    return 'Send a URL without user and password; who sends is told by the signature.';
  if (url.hash !== '') return 'Send a URL without a fragment (#…); it would not be sent.';
  if (!isOpenPort(url)) return 'Send a URL with port 80, 443, or one from 1024 to 65535.';
  if (!policy.allowsHost(url.hostname))
    return `Send a URL that is reached through the Internet; ${url.hostname} is not.`;
  return null;
}

function isOpenPort({ port }: URL): boolean {
  return port === '' || WEB_PORTS.includes(Number(port)) || Number(port) >= FIRST_FREE_PORT;
}
