import { FairSemaphore } from '../kernel/concurrency/fair-semaphore.js';
import type { DnsRequester, MxResolver, ResolvedRoute } from './dns/mx-resolver.js';
import type { Requester } from '../kernel/concurrency/fair-queue.js';

/** Addresses of lists in the network, in this process. */
const TOTAL = 4_000;
/** Of these, only for teams with less than the window of one provider: they wait for no other team. */
const RESERVED = 400;
/**
 * Of one team at the servers of one provider: enough for all its connections, each with a round trip of
 * several recipients, and few enough to end within the timeout of an address.
 */
const PER_PROVIDER = 40;
/** Domains whose mail servers are looked up at once; fewer than the DNS client queues for a team. */
const LOOKUPS = 500;
const RESERVED_LOOKUPS = 50;

/**
 * Starts addresses of lists as their mail servers can use them, whatever the order of the list: one with
 * slow servers does not delay others. Teams take turns, whatever number of domains each has, and the window
 * of a provider limits its share of its team's turns.
 */
export class ListWindows {
  private readonly lookups = new FairSemaphore({
    total: LOOKUPS,
    perKey: LOOKUPS,
    reserved: { slots: RESERVED_LOOKUPS, few: PER_PROVIDER },
  });
  /** By team and provider. */
  private readonly windows = new FairSemaphore({ total: Infinity, perKey: PER_PROVIDER });
  /** By team. */
  private readonly addresses = new FairSemaphore({
    total: TOTAL,
    perKey: TOTAL,
    reserved: { slots: RESERVED, few: PER_PROVIDER },
  });

  constructor(
    private readonly resolver: MxResolver,
    /** The provider of a mail server, by its host name. */
    private readonly providerOf: (mxHost: string) => string,
  ) {}

  /**
   * @param work receives the requester with the mail hosts of the domain, which are not looked up again.
   * @returns null when the signal aborted before the work began.
   */
  async run<T>(
    domain: string,
    requester: Requester,
    signal: AbortSignal,
    work: (requester: DnsRequester) => Promise<T>,
  ): Promise<T | null> {
    const { team } = requester;
    const resolved = await this.lookups.run(team, () => this.resolver.resolve(domain, signal, requester));
    // A name server that has failed may answer after the wait.
    const route = resolved.route.kind === 'dns_error' ? undefined : resolved;
    const begin = async () => (signal.aborted ? null : work({ ...requester, route }));
    const servers = this.serversOf(domain, resolved);
    return this.windows.run(`${team} ${servers}`, () => this.addresses.run(team, begin));
  }

  /** The provider of the mail servers; the domain if it has none. */
  private serversOf(domain: string, { route }: ResolvedRoute): string {
    const [first] = route.kind === 'hosts' ? route.hosts : [];
    return first === undefined ? domain : this.providerOf(first.host);
  }
}
