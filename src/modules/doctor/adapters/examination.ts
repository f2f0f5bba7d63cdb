import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../kernel/clock.js';
import type { Config } from '../../../platform/config/config.js';
import { AddressPolicy } from '../../../platform/net/address-policy.js';
import type { EgressSettings } from '../../../platform/net/egress.js';
import type { ExaminationOptions, Finding } from '../domain/finding.js';
import { fail, skipped, type Check, type CheckResult } from './check.js';
import { Database } from './database.js';
import { DATABASE_CLOCK } from './database-clock.js';
import { EGRESS } from './egress.js';
import { EHLO_NAME, REVERSE_NAME, SENDER_DOMAIN, SENDER_POLICY } from './identity.js';
import { LISTINGS } from './listings.js';
import { WELL_KNOWN_DOMAINS } from '../../../engine/dns/adapters/dns-resolver-check.js';
import { DoctorResolver, type DnsLookup } from './names.js';
import { NEGATIVE_ANSWERS } from './negative-answers.js';
import { DNSSEC, IPV6, RESOLVER } from './network.js';
import { PAYMENTS } from './payments.js';
import { PORT_25 } from './port-25.js';
import { DATABASE, QUEUE } from './stores.js';
import { diallerFor } from '../../../engine/egress/adapters/smtp-egresses.js';
import { publicAddressesOf } from './public-addresses.js';
import { localAddresses, type DoctorContext } from './doctor-context.js';

/** All checks, in the order of the output. */
const CHECKS: readonly Check[] = [
  EGRESS,
  PORT_25,
  EHLO_NAME,
  REVERSE_NAME,
  SENDER_DOMAIN,
  SENDER_POLICY,
  LISTINGS,
  RESOLVER,
  NEGATIVE_ANSWERS,
  DNSSEC,
  IPV6,
  DATABASE,
  DATABASE_CLOCK,
  QUEUE,
  PAYMENTS,
];

export interface CheckOptions extends ExaminationOptions {
  config: Config;
  clock: Clock;
  localAddress?: DoctorContext['localAddress'];
}

/** For all checks together. */
const DEADLINE_MS = 11_000;
/** A resolver that does not answer within this time is considered down. */
const RESOLVER_TIMEOUT_MS = 4_000;
/** Start of the reason when a name server denies well-known domains. */
const DENIED = 'the name server says that';

/** Runs all checks concurrently; takes at most about 12 s. */
export async function runChecks(options: CheckOptions): Promise<Finding[]> {
  const { config, clock, egressIps } = options;
  const deadline = new AbortController();
  // Every check of every egress adds a listener.
  setMaxListeners(0, deadline.signal);
  void clock.pause(DEADLINE_MS, deadline.signal).then(() => deadline.abort());
  const database = new Database(config, clock);
  const names = new DoctorResolver(config.dns.servers, deadline.signal);
  const localAddress = options.localAddress ?? (await localAddresses());
  const { egresses, allowCidrs } = config.smtp;
  const contextOf = (egress: EgressSettings): DoctorContext => ({
    egress,
    config,
    clock,
    names,
    dialler: diallerFor(egress.route),
    policy: new AddressPolicy(allowCidrs),
    publicAddresses: publicAddressesOf(egress, egresses, egressIps, localAddress),
    localAddress,
    database,
    signal: deadline.signal,
  });
  const contexts = egresses.map(contextOf);
  const [context] = contexts as [DoctorContext];
  const offlineReason = options.offline
    ? Promise.resolve('offline: --offline was given')
    : offlineReasonOf(context);
  try {
    const runs = CHECKS.flatMap((check) =>
      (check.perEgress ? contexts : [context]).map((target) => runCheck(check, target, offlineReason)),
    );
    return await Promise.all(runs);
  } finally {
    deadline.abort();
    await database.close();
  }
}

async function runCheck(
  check: Check,
  context: DoctorContext,
  offlineReason: Promise<string | null>,
): Promise<Finding> {
  const { name, why, network, perEgress } = check;
  const needsNetwork = typeof network === 'function' ? network(context) : network;
  const reason = needsNetwork ? await offlineReason : null;
  const found = reason === null ? await check.run(context).catch(crashed) : offlineResult(check, reason);
  const isOneOfSeveral = perEgress === true && context.config.smtp.egresses.length > 1;
  return { check: name, egress: isOneOfSeveral ? context.egress.name : null, why, ...found };
}

/**
 * On a machine with Internet access a resolver that does not answer is a failure, as is one that denies
 * well-known domains. It is reported once, by its own check.
 */
function offlineResult(check: Check, reason: string): CheckResult {
  if (check === RESOLVER && reason.startsWith(DENIED))
    return fail(
      `${reason}: its negative answers are not accepted, and verdicts based on one are unknown / dns_error`,
      'log in to this network if it requires that, or set DNS_SERVERS to a resolver with Internet access',
    );
  if (check !== RESOLVER || reason.startsWith('offline')) return skipped(reason);
  return fail(reason, 'correct DNS_SERVERS, or let the firewall pass port 53, UDP and TCP, to the resolver');
}

function crashed(error: unknown): CheckResult {
  const message = error instanceof Error ? error.message : String(error);
  return skipped(`the check itself failed: ${message}`, 'please report this');
}

/** The first lookup with records; without one, the first negative lookup or error. */
async function firstOf(lookups: readonly Promise<DnsLookup<string>>[]): Promise<DnsLookup<string>> {
  const [first, ...others] = lookups;
  const lookup = await first!;
  if (lookup.kind !== 'none' && lookup.kind !== 'no_domain') return lookup;
  return (await Promise.all(others)).find(({ kind }) => kind === 'records') ?? lookup;
}

/** Why network checks cannot be run; null: the resolver answers. */
async function offlineReasonOf({
  names,
  clock,
  signal,
  localAddress,
}: DoctorContext): Promise<string | null> {
  const done = new AbortController();
  const timeout = clock.pause(RESOLVER_TIMEOUT_MS, AbortSignal.any([done.signal, signal])).then(() => null);
  const all = WELL_KNOWN_DOMAINS.map((domain) => names.mx(domain));
  const lookup = await Promise.race([firstOf(all), timeout]);
  done.abort();
  if (lookup?.kind === 'no_domain' || lookup?.kind === 'none')
    return `${DENIED} ${WELL_KNOWN_DOMAINS.join(', ')} do not exist or have no MX records`;
  if (lookup !== null && (lookup.kind !== 'error' || lookup.code === 'ESERVFAIL')) return null;
  const { ipv4, ipv6 } = localAddress;
  return ipv4 === null && ipv6 === null
    ? 'offline: this machine has no route to the Internet'
    : 'no name server answers';
}
