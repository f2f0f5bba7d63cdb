import type { ReturnedCount, UnitCount } from './returned-mail.js';
import { sumOf } from './returned-mail.js';
import type { GroupCount } from './statistics.js';
import { HOST_DOMAINS, Units, type DomainsOf, type Place } from './units.js';

/** Hosts whose domains are remembered. */
const MAX_HOSTS = 500;

/** Hosts that are not in the table of providers; those of the first places come first. */
export function unknownHosts(places: readonly Place[]): string[] {
  const names = places.flatMap(({ host, provider }) => (provider === null && host ? [host] : []));
  return [...new Set(names)].slice(0, MAX_HOSTS);
}

/** @param counted the ids of domains that were counted, by host; domains with outcomes are added. */
export function domainsOf(
  places: readonly Place[],
  counted: ReadonlyMap<string, readonly string[]>,
  idOf: (domain: string) => string,
): DomainsOf {
  const known = new Map(unknownHosts(places).map((name) => [name, new Set(counted.get(name))]));
  for (const { host, domain } of places) {
    const domains = known.get(host ?? '');
    if (domains !== undefined && domains.size < HOST_DOMAINS) domains.add(idOf(domain));
  }
  return Object.fromEntries([...known].map(([name, domains]) => [name, [...domains]]));
}

/** Groups with the hosts of their units; the largest first. */
export function withUnits(groups: readonly (GroupCount & Place)[], units: Units): GroupCount[] {
  const merged = new Map<string, GroupCount>();
  for (const group of groups) {
    const { reason, domain, addresses, delivered, bouncesOnly, deliveredToo } = group;
    const host = units.hostOf(group);
    const key = JSON.stringify([reason, host, domain]);
    const known = merged.get(key);
    const counts = { addresses, delivered, bouncesOnly, deliveredToo };
    if (known === undefined) merged.set(key, { reason, host, domain, ...counts });
    else {
      known.addresses += addresses;
      known.delivered += delivered;
      known.bouncesOnly += bouncesOnly;
      known.deliveredToo += deliveredToo;
    }
  }
  return [...merged.values()].sort((a, b) => b.addresses - a.addresses);
}

/** What is counted of a unit. */
export interface Unit {
  name: string;
  places: readonly ReturnedCount[];
  count: UnitCount;
}

export function unitsIn(counts: readonly ReturnedCount[], units: Units): Unit[] {
  const places = new Map<string, ReturnedCount[]>();
  for (const count of counts) {
    const name = units.unitOf(count);
    const known = places.get(name);
    if (known === undefined) places.set(name, [count]);
    else known.push(count);
  }
  return [...places].map(([name, ofUnit]) => ({ name, places: ofUnit, count: sumOf(ofUnit) }));
}
