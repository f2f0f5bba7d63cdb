import type { LimitName } from './connection-limit.js';
import { EGRESS_ITSELF } from './connection-permits.js';
import type { NotDialled } from './not-dialled.js';
import type { PermitUsage } from './permit-store.js';

/** The sessions of all processes with a mail provider through an egress. */
export interface ProviderSessions {
  /** Its name. */
  egress: string;
  /** null: the egress itself, for all providers; `other`: all providers that are not in the table of providers. */
  provider: string | null;
  limit: number;
  used: number;
  waiting: number;
  /** The requests that wait, by the smallest limit of a connection. */
  blocked: ReadonlyMap<LimitName, number>;
}

/** Sessions with a provider, and why no further connection is opened; null: nothing prevents one. */
export type ProviderState = ProviderSessions & { notDialled: NotDialled | null };

/** How keys of egresses and names of providers are shown: other names are those of customers' servers. */
export interface ShownNames {
  egressOf: (key: string) => string;
  isKnown: (provider: string) => boolean;
}

/** Permits by what is shown: those of all providers that are not known are one. */
export function sessionsOf(
  usage: readonly PermitUsage[],
  { egressOf, isKnown }: ShownNames,
): ProviderSessions[] {
  const sums = new Map<string, ProviderSessions & { blocked: Map<LimitName, number> }>();
  for (const { limit, used, waiting, blockedBy, ...of } of usage) {
    const egress = egressOf(of.egress);
    const provider = of.provider === EGRESS_ITSELF ? null : isKnown(of.provider) ? of.provider : 'other';
    const key = JSON.stringify([egress, provider]);
    const sum = sums.get(key) ?? { egress, provider, limit: 0, used: 0, waiting: 0, blocked: new Map() };
    sums.set(key, sum);
    sum.limit += limit;
    sum.used += used;
    sum.waiting += waiting;
    if (blockedBy !== null) sum.blocked.set(blockedBy, (sum.blocked.get(blockedBy) ?? 0) + waiting);
  }
  return [...sums.values()];
}

/** The limit for which most requests wait; null: none waits. */
export function limitOf({ blocked }: ProviderSessions): LimitName | null {
  const [most] = [...blocked].sort(([, one], [, other]) => other - one);
  return most !== undefined && most[1] > 0 ? most[0] : null;
}
