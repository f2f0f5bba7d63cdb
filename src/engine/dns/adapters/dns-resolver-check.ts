import { orNullOnAbort } from '../../limits/adapters/or-null-on-abort.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Meter } from '../../../kernel/meter.js';
import { parseResponse, type DnsQuestion, type ParsedResponse } from './dns-message.js';
import { queryServer, withTimeout, type DnsServer } from './dns-transport.js';

/**
 * Domains that exist and have MX records. The three providers share no name servers: if the DNS
 * of one fails, or a network blocks one, the others show that the name server has Internet access.
 */
export const WELL_KNOWN_DOMAINS = ['gmail.com', 'outlook.com', 'yahoo.com'] as const;

export const DENIES_WELL_KNOWN = `a name server says that ${WELL_KNOWN_DOMAINS.join(', ')} do not exist or have no MX records`;

/** `silent`: a timeout or a failure. */
type WellKnownState = 'present' | 'absent' | 'silent';

/** How long the result of a check is valid. */
const RECHECK_MS = 5 * 60_000;
/** The same for an unhealthy server. Its negative responses are `dns_error` until the next check. */
const RECHECK_UNHEALTHY_MS = 30_000;
const TIMEOUT_MS = 1_000;

interface ServerState {
  readonly server: DnsServer;
  isHealthy: boolean;
  checkedAtMs: number;
  /** The running check, shared by all callers. */
  running: Promise<void> | null;
}

interface ResolverCheckOptions {
  clock: Clock;
  meter?: Meter;
  /** Called when a name server becomes unhealthy, and when it is healthy again. */
  onChange?: (server: string, isHealthy: boolean) => void;
}

/**
 * Checks whether the negative responses of a name server can be accepted. A server that denies well-known
 * domains, as in networks that require a login and behind some filters, would make every domain
 * `invalid_domain`.
 *
 * A check runs only when a negative response requires it, with one query at a time. The result depends
 * only on these queries, never on those of a tenant.
 */
export class ResolverCheck {
  private readonly states = new Map<string, ServerState>();

  constructor(private readonly options: ResolverCheckOptions) {}

  /**
   * Whether a response of a server is accepted. Checks the server first if the response is negative and the
   * last check is too old. A negative AAAA response does not start a check, because most hosts have no IPv6
   * address: a host is `none` only if the response for A is negative too.
   */
  async accepts(
    parsed: Extract<ParsedResponse, { kind: 'response' | 'alias' }>,
    type: DnsQuestion['type'],
    server: DnsServer,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (parsed.kind === 'alias' || parsed.response.kind === 'records') return true;
    const state = this.stateOf(server);
    if (type !== 'AAAA' && this.isStale(state)) await orNullOnAbort(this.check(state), signal);
    if (signal.aborted) return false;
    if (!state.isHealthy) this.options.meter?.count('rcpt_dns_rejected_answers_total', 'denies_well_known');
    return state.isHealthy;
  }

  /** Counts a negative response without proof, and checks the server in the background. */
  rejectUnproven(server: DnsServer): void {
    this.options.meter?.count('rcpt_dns_rejected_answers_total', 'no_soa');
    const state = this.stateOf(server);
    if (this.isStale(state)) void this.check(state);
  }

  /** The number of unhealthy servers. Repeats old checks in the background. */
  countUnhealthy(): number {
    const unhealthy = [...this.states.values()].filter((state) => !state.isHealthy);
    for (const state of unhealthy) if (this.isStale(state)) void this.check(state);
    return unhealthy.length;
  }

  private isStale({ checkedAtMs, isHealthy }: ServerState): boolean {
    const age = this.options.clock.monotonicMs() - checkedAtMs;
    return age >= (isHealthy ? RECHECK_MS : RECHECK_UNHEALTHY_MS);
  }

  private check(state: ServerState): Promise<void> {
    return (state.running ??= this.run(state).finally(() => (state.running = null)));
  }

  private async run(state: ServerState): Promise<void> {
    const isHealthy = !(await this.deniesWellKnown(state.server));
    state.checkedAtMs = this.options.clock.monotonicMs();
    if (isHealthy === state.isHealthy) return;
    state.isHealthy = isHealthy;
    this.options.onChange?.(nameOf(state.server), isHealthy);
  }

  /** False if one of the domains exists, or if the server responds to none of the queries. */
  private async deniesWellKnown(server: DnsServer): Promise<boolean> {
    let denied = false;
    for (const domain of WELL_KNOWN_DOMAINS) {
      const state = await queryWellKnown(server, domain, this.options.clock);
      if (state === 'present') return false;
      denied ||= state === 'absent';
    }
    return denied;
  }

  private stateOf(server: DnsServer): ServerState {
    const name = nameOf(server);
    const known = this.states.get(name);
    if (known) return known;
    const state = { server, isHealthy: true, checkedAtMs: -Infinity, running: null };
    this.states.set(name, state);
    return state;
  }
}

/** Queries a domain that has MX records, with a timeout of a second. Never rejects. */
async function queryWellKnown(server: DnsServer, name: string, clock: Clock): Promise<WellKnownState> {
  const question = { type: 'MX', name } as const;
  const reply = await withTimeout(clock, TIMEOUT_MS, null, (ended) =>
    queryServer(server, question, false, ended),
  );
  if (reply.kind !== 'packet') return 'silent';
  const parsed = parseResponse(reply.packet, question);
  if (parsed.kind === 'error' || parsed.kind === 'edns_refused') return 'silent';
  return parsed.kind === 'response' && parsed.response.kind === 'records' ? 'present' : 'absent';
}

function nameOf({ address, port }: DnsServer): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
