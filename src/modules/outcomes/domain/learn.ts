import type { ReturnedCount, UnitCount } from './returned-mail.js';
import { sumOf } from './returned-mail.js';
import type { GroupCount } from './statistics.js';
import { HOST_DOMAINS, Units, type DomainsOf, type Place } from './units.js';

/** Operators whose domains are remembered. */
const MAX_OPERATORS = 500;

/** Operators that are not in the table of providers; those of the first places come first. */
export function unknownOperators(places: readonly Place[]): string[] {
  const names = places.flatMap(({ operator, provider }) => (provider === null && operator ? [operator] : []));
  return [...new Set(names)].slice(0, MAX_OPERATORS);
}

/** @param counted the ids of domains that were counted, by operator; domains with outcomes are added. */
export function domainsOf(
  places: readonly Place[],
  counted: ReadonlyMap<string, readonly string[]>,
  idOf: (domain: string) => string,
): DomainsOf {
  const known = new Map(unknownOperators(places).map((name) => [name, new Set(counted.get(name))]));
  for (const { operator, domain } of places) {
    const domains = known.get(operator ?? '');
    if (domains !== undefined && domains.size < HOST_DOMAINS) domains.add(idOf(domain));
  }
  return Object.fromEntries([...known].map(([name, domains]) => [name, [...domains]]));
}

/** Groups with the operators of their units; the largest first. */
export function withUnits(groups: readonly (GroupCount & Place)[], units: Units): GroupCount[] {
  const merged = new Map<string, GroupCount>();
  for (const group of groups) {
    const { reason, domain, addresses, delivered, bouncesOnly, deliveredToo } = group;
    const operator = units.operatorOf(group);
    const key = JSON.stringify([reason, operator, domain]);
    const known = merged.get(key);
    const counts = { addresses, delivered, bouncesOnly, deliveredToo };
    if (known === undefined) merged.set(key, { reason, operator, domain, ...counts });
    else {
      known.addresses += addresses;
      known.delivered += delivered;
      known.bouncesOnly += bouncesOnly;
      known.deliveredToo += deliveredToo;
    }
  }
  return [...merged.values()].sort((a, b) => b.addresses - a.addresses);
}

/** The places of a unit. */
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
