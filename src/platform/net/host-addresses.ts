import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

const LOOPBACK = ['127.0.0.1', '::1'];
/** Attempts within the timeout. */
const TRIES = 2;

/** The time to wait for the addresses of one family after those of the other have arrived. */
const OTHER_FAMILY_MS = 250;

/** Resolves host names to IP addresses. */
export class HostAddresses {
  /** @param servers recursive resolvers (`DNS_SERVERS`). @param timeoutMs timeout of one query, all attempts included. */
  constructor(
    private readonly servers: readonly string[],
    private readonly timeoutMs: number,
  ) {}

  /** @returns IPv4 addresses first; empty if the name has no address or the lookup failed. Never rejects. */
  async resolve(host: string, signal: AbortSignal): Promise<string[]> {
    // One resolver per name, because `cancel` cancels all queries of a resolver. `dns.lookup` is not used:
    // it blocks one of four threads.
    const resolver = new Resolver({ timeout: this.timeoutMs / TRIES, tries: TRIES });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let grace: NodeJS.Timeout | undefined;
    // Some name servers never answer for AAAA.
    const stopSoon = () => (grace ??= setTimeout(cancel, OTHER_FAMILY_MS));
    try {
      const queries = [resolver.resolve4(host), resolver.resolve6(host)];
      for (const query of queries) query.then(stopSoon, () => undefined);
      const results = await Promise.allSettled(queries);
      return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    } finally {
      clearTimeout(grace);
      signal.removeEventListener('abort', cancel);
    }
  }
}

/**
 * The addresses of a URL host that needs no DNS lookup: an IP address or `localhost` (RFC 6761 §6.3).
 *
 * @param host as returned by the URL parser, which normalizes legacy IPv4 forms.
 * @returns null if the host must be resolved.
 */
export function addressesWithoutDns(host: string): readonly string[] | null {
  const bare = bareHost(host);
  if (isIP(bare) !== 0) return [bare];
  return bare === 'localhost' || bare.endsWith('.localhost') ? LOOPBACK : null;
}

/** The host without brackets and final dot. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
