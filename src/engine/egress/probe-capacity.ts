import type { MxRecord } from '../../kernel/verdict.js';
import type { Provider } from '../providers/session-limits.js';
import { usableEgresses, type EgressParts } from './probe-through-egresses.js';

/** How the mail servers of a domain can be asked now, as far as this process knows. */
export interface ProbeCapacity {
  /** The egress; null: no server may be asked through any, so that addresses are deferred. */
  egress: string | null;
  /** Sessions at a time with the provider, through this egress. */
  connections: number;
  /** The most addresses that the team may ask the provider about today, through all egresses. */
  probesLeft: number;
}

/**
 * Tells a team how its addresses will be verified, without what other teams do: of limits that were learned only those
 * of providers that are known in advance, because others would show that somebody verifies addresses there; breakers
 * are those of the team itself; the use of ceilings by other teams is left out.
 *
 * @param hosts of the domain. @param provider of the first one.
 */
export function probeCapacity(
  { domain, hosts, team }: { domain: string; hosts: readonly MxRecord[]; team: string },
  { name, isUnknown, connections, connectionsPerHost }: Provider,
  parts: EgressParts,
): ProbeCapacity {
  const { breakers, warmup, nowMs } = parts;
  let probesLeft = 0;
  let first: ProbeCapacity | null = null;
  for (const egress of usableEgresses(domain, team, parts)) {
    const request = { address: { key: '', domain }, team, egress: egress.key };
    if (breakers.allowedHosts(request, hosts, nowMs()).length === 0) continue;
    const left = warmup.mostLeftFor(team, { egress: egress.key, provider: name });
    probesLeft += left;
    if (left === 0 || first !== null) continue;
    // The addresses of a provider that is not known are seldom more than one.
    const sessions = isUnknown ? connectionsPerHost : Math.min(connections, egress.learnedConnections(name));
    first = { egress: egress.key, connections: sessions, probesLeft };
  }
  return first === null ? { egress: null, connections, probesLeft: 0 } : { ...first, probesLeft };
}
