import { FairSemaphore } from '../kernel/concurrency/fair-semaphore.js';
import type { MxResolver } from './dns/mx-resolver.js';
import type { Requester } from '../kernel/concurrency/fair-queue.js';

/** Addresses of lists in the network, in this process. */
const TOTAL = 4_000;
/**
 * Of one tenant at the servers of one provider: enough for all its connections, each with a round trip of
 * several recipients, and few enough to end within the timeout of an address.
 */
const PER_PROVIDER = 40;
/** Domains whose mail servers are looked up at once; fewer than the DNS client queues for a tenant. */
const LOOKUPS = 500;

/**
 * Starts addresses of lists as their mail servers can use them, whatever the order of the list: one with
 * slow servers does not delay others. Tenants and providers are served round-robin.
 */
export class ListWindows {
  private readonly addresses = new FairSemaphore({ total: TOTAL, perKey: PER_PROVIDER });
  private readonly lookups = new FairSemaphore({ total: LOOKUPS, perKey: LOOKUPS });

  constructor(
    private readonly resolver: MxResolver,
    /** The provider of a mail server, by its host name. */
    private readonly providerOf: (mxHost: string) => string,
  ) {}

  /** @returns null when the signal aborted before the work began. */
  async run<T>(
    domain: string,
    requester: Requester,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T | null> {
    const servers = await this.serversOf(domain, requester, signal);
    return this.addresses.run(`${requester.tenant} ${servers}`, async () => (signal.aborted ? null : work()));
  }

  /** The provider of the mail servers; the domain if it has none. */
  private async serversOf(domain: string, requester: Requester, signal: AbortSignal): Promise<string> {
    const { route } = await this.lookups.run(requester.tenant, () =>
      this.resolver.resolve(domain, signal, requester),
    );
    const [first] = route.kind === 'hosts' ? route.hosts : [];
    return first === undefined ? domain : this.providerOf(first.host);
  }
}
