import { isIP, isIPv6 } from 'node:net';
import { DnsWorld } from '../../test/support/dns/dns-world.js';
import type { DnsName } from '../../test/support/dns/dns-zones.js';
import {
  greylistingFor,
  oneRecipientPer,
  recipients,
  requiringTls,
  type SmtpBehaviour,
} from '../../test/support/smtp/smtp-behaviours.js';
import { SmtpWorld, type SmtpSites } from '../../test/support/smtp/smtp-world.js';
import { domainOf, type PeerCase, type ServerScript } from './peer-case.js';

/** Where the servers of the cases are. */
export interface CasePlaces {
  /** The address of the nth server. */
  ipv4: (n: number) => string;
  ipv6: (n: number) => string;
  /** An address at which nothing listens. */
  closed: string;
  /** What times in the cases are multiplied by; 1: as written. */
  pace: number;
}

export interface CasePlan {
  zones: Record<string, DnsName>;
  sites: SmtpSites;
  /** Addresses in the records of the cases that are none of the servers'. */
  strangers: string[];
}

/**
 * What the names of all cases resolve to, and what their servers do. In records `{server1}` is the address of the
 * first server of the case, `{closed}` one at which nothing listens.
 */
export function planOf(cases: readonly PeerCase[], places: CasePlaces): CasePlan {
  const zones: Record<string, DnsName> = {};
  const sites: SmtpSites = {};
  const strangers = new Set<string>();
  let count = 0;
  for (const { id, address, world } of cases) {
    const domain = domainOf(id);
    const servers = (world.smtp ?? []).map((script, index) => ({
      script,
      host: script.host ?? `mx${index + 1}.${domain}`,
      place: script.isIpv6 ? places.ipv6(count++) : places.ipv4(count++),
    }));
    if (servers.length > 0) zones[domain] = { mx: servers.map(({ host }, n) => [10 * (n + 1), host]) };
    const written = JSON.stringify(world.dns ?? {}).replace(/\{(closed|server(\d+))\}/g, (_, name, nth) =>
      name === 'closed' ? places.closed : (servers[Number(nth) - 1]?.place ?? ''),
    );
    const own = paced(JSON.parse(written) as Record<string, DnsName>, places.pace);
    Object.assign(zones, own);
    for (const stranger of [...Object.values(own).flatMap(addressesIn), ...literalIn(address)])
      strangers.add(stranger);
    for (const { script, host, place } of servers) {
      sites[place] = behaviourOf(paced(script, places.pace));
      const records = { ...zones[host] };
      if (isIPv6(place)) records.aaaa ??= [place];
      else records.a ??= [place];
      zones[host] = records;
    }
  }
  const ours = new Set([...Object.keys(sites), places.closed]);
  return { zones, sites, strangers: [...strangers].filter((address) => !ours.has(address)) };
}

const TIMES = new Set(['afterMs', 'everyMs', 'forMs', 'delayMs']);

/** The same with other times. */
function paced<T extends object>(script: T, pace: number): T {
  const inTime = (key: string, value: unknown) =>
    typeof value === 'number' && TIMES.has(key) ? value * pace : value;
  return JSON.parse(JSON.stringify(script), inTime) as T;
}

const addressesIn = ({ a = [], aaaa = [], mx = [] }: DnsName) =>
  [...a, ...aaaa, ...mx.map(([, exchange]) => exchange)].filter((value) => isIP(value) !== 0);

/** The address in an address literal (RFC 5321 §4.1.3). */
const literalIn = (email: string) =>
  [/@\[(?:IPv6:)?(.*)\]$/i.exec(email)?.[1] ?? ''].filter((value) => isIP(value) !== 0);

function behaviourOf(script: ServerScript): SmtpBehaviour {
  const { banner, ehlo, helo, mail, rset, extensions, startTls } = script;
  let behaviour = recipients(script.replies ?? {}, script.otherwise);
  if (banner !== undefined) behaviour = { ...behaviour, banner };
  if (ehlo !== undefined) behaviour = { ...behaviour, ehlo };
  if (helo !== undefined) behaviour = { ...behaviour, helo };
  if (mail !== undefined) behaviour = { ...behaviour, mail: () => mail };
  if (rset !== undefined) behaviour = { ...behaviour, rset };
  if (extensions !== undefined) behaviour = { ...behaviour, extensions };
  if (script.tlsNeededAt !== undefined) behaviour = requiringTls(behaviour, script.tlsNeededAt);
  if (startTls !== undefined) behaviour = { ...behaviour, startTls };
  if (script.greylisting !== undefined)
    behaviour = greylistingFor(script.greylisting.forMs, script.greylisting.reply, behaviour);
  if (script.oneRecipientPer !== undefined) behaviour = oneRecipientPer(script.oneRecipientPer, behaviour);
  return behaviour;
}

/** The servers of the cases, on real sockets. */
export class CaseWorld {
  private constructor(
    readonly dns: DnsWorld,
    readonly smtp: SmtpWorld,
  ) {}

  /** @param ports 0: any free port. */
  static async start({ zones, sites }: CasePlan, ports: { dns: number; smtp: number }): Promise<CaseWorld> {
    const dns = await DnsWorld.start({ zones, port: ports.dns });
    return new CaseWorld(dns, await SmtpWorld.start(sites, ports.smtp));
  }

  async stop(): Promise<void> {
    await Promise.all([this.dns.stop(), this.smtp.stop()]);
  }
}
