import { untilAborted, withDeadline } from '../../../kernel/deadline.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Meter } from '../../../kernel/meter.js';
import { parseResponse, type DnsQuestion, type ParsedResponse } from './dns-message.js';
import { nameOfServer, type DnsServer } from '../../../platform/net/dns-server.js';
import { queryServer } from './dns-transport.js';

/**
 * Domains that exist and have MX records. The three providers share no name servers: if the DNS
 * of one fails, or a network blocks one, the others show that the name server has Internet access.
 */
export const WELL_KNOWN_DOMAINS = ['gmail.com', 'outlook.com', 'yahoo.com'] as const;

export const DENIES_WELL_KNOWN = `a name server says that ${WELL_KNOWN_DOMAINS.join(', ')} do not exist or have no MX records`;

export const DOES_NOT_ANSWER = 'a name server does not answer for any domain';

/** `silent`: a timeout or a failure. */
type WellKnownState = 'present' | 'absent' | 'silent';

/** Names in a row for which a server has failed, after which it is checked. The servers of some domains fail always. */
const FAILED_NAMES = 3;

/** How long the result of a check is valid. */
const RECHECK_MS = 5 * 60_000;
/** The same for an unhealthy server. Its negative responses are `dns_error` until the next check. */
const RECHECK_UNHEALTHY_MS = 30_000;
const TIMEOUT_MS = 1_000;

interface ServerState {
  readonly server: DnsServer;
  /** It does not deny well-known domains. */
  isHealthy: boolean;
  /** Names for which it has failed since its last response, at most three. */
  failedNames: Set<string>;
  /** What it has said last instead of a response, while it answers for no well-known domain either; null: it answers. */
  outage: string | null;
  checkedAtMs: number;
  /** The last check after failures. */
  outageCheckedAtMs: number;
  /** The running check, shared by all callers. */
  running: Promise<void> | null;
}

export interface ResolverEvents {
  /** Called when a name server becomes unhealthy, and when it is healthy again. */
  onResolverHealth?: (server: string, isHealthy: boolean) => void;
  /** Called when a name server answers for no domain any more, and with null when it answers again. */
  onResolverOutage?: (server: string, saying: string | null) => void;
}

interface ResolverCheckOptions extends ResolverEvents {
  clock: Clock;
  meter?: Meter;
}

/**
 * Checks whether the negative responses of a name server can be accepted. A server that denies well-known
 * domains, as in networks that require a login and behind some filters, would make every domain
 * `invalid_domain`.
 *
 * A check runs only when a negative response requires it, or after failures for several names, with one query at
 * a time. The result depends only on these queries, never on those of a team.
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
    if (type !== 'AAAA' && this.isStale(state)) await untilAborted(this.check(state), signal);
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

  /** A server has answered, whatever it said about a name. */
  onResponse(server: DnsServer): void {
    const state = this.stateOf(server);
    if (state.failedNames.size > 0) state.failedNames.clear();
    this.setOutage(state, null);
  }

  /**
   * A server has failed for a name. After three names in a row it is checked in the background, because the failure
   * may be that of the name's own servers.
   */
  onFailure(server: DnsServer, name: string, saying: string): void {
    const state = this.stateOf(server);
    if (state.failedNames.size < FAILED_NAMES) state.failedNames.add(name);
    if (state.outage !== null) {
      state.outage = saying;
      return;
    }
    const nowMs = this.options.clock.monotonicMs();
    if (!this.mayBeOut(state) || nowMs - state.outageCheckedAtMs < RECHECK_UNHEALTHY_MS) return;
    state.outageCheckedAtMs = nowMs;
    void this.check(state, saying);
  }

  /** The number of servers that deny well-known domains or do not answer. Repeats old checks in the background. */
  countUnhealthy(): number {
    return this.recheck((state) => !state.isHealthy || state.outage !== null);
  }

  /** Whether a server denies well-known domains. Repeats old checks in the background. */
  deniesAny(): boolean {
    return this.recheck((state) => !state.isHealthy) > 0;
  }

  /** Why servers are unhealthy, without their addresses. */
  reason(): string {
    const states = [...this.states.values()];
    const denials = states.some(({ isHealthy }) => !isHealthy)
      ? [`${DENIES_WELL_KNOWN}: its negative responses are dns_error`]
      : [];
    const sayings = new Set(states.flatMap(({ outage }) => outage ?? []));
    return [...denials, ...[...sayings].map((saying) => `${DOES_NOT_ANSWER} (${saying})`)].join('; ');
  }

  private recheck(isAffected: (state: ServerState) => boolean): number {
    const affected = [...this.states.values()].filter(isAffected);
    for (const state of affected) if (this.isStale(state)) void this.check(state, state.outage);
    return affected.length;
  }

  private isStale(state: ServerState): boolean {
    const isUsable = state.isHealthy && state.outage === null;
    return this.ageMs(state) >= (isUsable ? RECHECK_MS : RECHECK_UNHEALTHY_MS);
  }

  private ageMs({ checkedAtMs }: ServerState): number {
    return this.options.clock.monotonicMs() - checkedAtMs;
  }

  private mayBeOut({ failedNames }: ServerState): boolean {
    return failedNames.size >= FAILED_NAMES;
  }

  /** @param saying what the server has said last; null: it has not failed. */
  private check(state: ServerState, saying: string | null = null): Promise<void> {
    return (state.running ??= this.run(state, saying).finally(() => (state.running = null)));
  }

  private async run(state: ServerState, saying: string | null): Promise<void> {
    const known = await this.askWellKnown(state.server);
    state.checkedAtMs = this.options.clock.monotonicMs();
    // It may have answered meanwhile.
    const isOut = known === 'silent' && this.mayBeOut(state);
    this.setOutage(state, isOut ? (saying ?? state.outage) : null);
    const isHealthy = known !== 'absent';
    if (isHealthy === state.isHealthy) return;
    state.isHealthy = isHealthy;
    this.options.onResolverHealth?.(nameOfServer(state.server), isHealthy);
  }

  private setOutage(state: ServerState, saying: string | null): void {
    const isChanged = (state.outage === null) !== (saying === null);
    state.outage = saying;
    if (isChanged) this.options.onResolverOutage?.(nameOfServer(state.server), saying);
  }

  /** `present` if one of the domains exists, `silent` if the server responds to none of the queries. */
  private async askWellKnown(server: DnsServer): Promise<WellKnownState> {
    let known: WellKnownState = 'silent';
    for (const domain of WELL_KNOWN_DOMAINS) {
      const state = await queryWellKnown(server, domain, this.options.clock);
      if (state === 'present') return state;
      if (state === 'absent') known = state;
    }
    return known;
  }

  private stateOf(server: DnsServer): ServerState {
    const name = nameOfServer(server);
    const known = this.states.get(name);
    if (known) return known;
    const failedNames = new Set<string>();
    const state = {
      server,
      isHealthy: true,
      failedNames,
      outage: null,
      checkedAtMs: -Infinity,
      outageCheckedAtMs: -Infinity,
      running: null,
    };
    this.states.set(name, state);
    return state;
  }
}

/** Queries a domain that has MX records, with a timeout of a second. Never rejects. */
async function queryWellKnown(server: DnsServer, name: string, clock: Clock): Promise<WellKnownState> {
  const question = { type: 'MX', name } as const;
  const query = (ended: () => AbortSignal) => queryServer(server, question, false, ended());
  const reply = await withDeadline(TIMEOUT_MS, null, query, clock);
  if (reply?.kind !== 'packet') return 'silent';
  const parsed = parseResponse(reply.packet, question);
  if (parsed.kind === 'error' || parsed.kind === 'edns_refused') return 'silent';
  return parsed.kind === 'response' && parsed.response.kind === 'records' ? 'present' : 'absent';
}
