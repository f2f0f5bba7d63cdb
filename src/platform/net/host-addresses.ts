import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

const LOOPBACK = ['127.0.0.1', '::1'];
/** One of them, or the other after it, answers in this time, or the name is not resolved. */
const TRIES = 2;

/** What the DNS says that a name leads to. */
export class HostAddresses {
  /** @param servers recursive resolvers, as `DNS_SERVERS` names them. @param timeoutMs of one question. */
  constructor(
    private readonly servers: readonly string[],
    private readonly timeoutMs: number,
  ) {}

  /** IPv4 first. @returns none when the name has no address, or nobody could tell. Never rejects. */
  async resolve(host: string, signal: AbortSignal): Promise<string[]> {
    // One for each name, so that giving up on it cancels no other. Node's `lookup` would take one of four threads.
    const resolver = new Resolver({ timeout: this.timeoutMs / TRIES, tries: TRIES });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      return asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}

/**
 * Where a host of a URL leads, when that needs no DNS: an address, or this machine (RFC 6761 §6.3).
 *
 * @param host as the URL parser gives it, which has read all old spellings of IPv4.
 * @returns null: a name.
 */
export function addressesWithoutDns(host: string): readonly string[] | null {
  const bare = bareHost(host);
  if (isIP(bare) !== 0) return [bare];
  return bare === 'localhost' || bare.endsWith('.localhost') ? LOOPBACK : null;
}

/** Without brackets and final dot. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
