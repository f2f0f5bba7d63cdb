import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../../kernel/clock.js';
import type { Config } from '../../../../platform/config/config.js';
import { AddressPolicy } from '../../../../platform/net/address-policy.js';
import type { EgressSettings } from '../../../../platform/net/egress.js';
import type { EgressFinding, ExaminationOptions, Finding } from '../domain/finding.js';
import { fail, notApplicable, skipped, type Check, type CheckResult, type DoctorContext } from './check.js';
import { found, remedy } from '../domain/sentences.js';
import { EGRESS } from './egress.js';
import { EHLO_NAME, REVERSE_NAME, SENDER_DOMAIN, SENDER_POLICY } from './identity.js';
import { LISTINGS } from './listings.js';
import { DENIES_WELL_KNOWN, WELL_KNOWN_DOMAINS } from '../../../../engine/dns/adapters/dns-resolver-check.js';
import { DoctorResolver, type DnsLookup } from './names.js';
import { DNSSEC, IPV6, NEGATIVE_ANSWERS, RESOLVER } from './network.js';
import { PAYMENTS } from './payments.js';
import { PORT_25 } from './port-25.js';
import { SESSIONS } from './sessions.js';
import { TLS } from './tls.js';
import { Database, DATABASE, DATABASE_CLOCK, QUEUE } from './stores.js';
import { diallerFor } from '../../../../engine/egress/adapters/smtp-egresses.js';
import { checkAddresses, localAddresses, publicAddressesOf } from './public-addresses.js';

/** All checks, in the order of the output. */
const CHECKS: readonly Check[] = [
  EGRESS,
  PORT_25,
  TLS,
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
  SESSIONS,
  PAYMENTS,
];

export interface CheckOptions extends ExaminationOptions {
  /** Only those that run once for each egress. */
  perEgress?: true;
  config: Config;
  clock: Clock;
  sessionsIn: DoctorContext['sessionsIn'];
  localAddress?: DoctorContext['localAddress'];
}

/** For all checks together. */
const DEADLINE_MS = 11_000;
/** A resolver that does not respond within this time is considered down. */
const RESOLVER_TIMEOUT_MS = 4_000;
/** The results of the checks of the network if they cannot be run, and of the one that reports it; null: they can. */
type Obstacle = { result: CheckResult; ofResolver: CheckResult } | null;

/** Examines with the configuration of this process. @throws InvalidEgressAddress */
export async function examine(
  config: Config,
  clock: Clock,
  sessionsIn: DoctorContext['sessionsIn'],
  options: ExaminationOptions = { offline: false, egressIps: [] },
): Promise<readonly Finding[]> {
  checkAddresses(options.egressIps, config.smtp.egresses);
  return runChecks({ ...options, config, clock, sessionsIn });
}

/** Runs the checks of every egress; that nothing applies to the configuration is no finding. */
export async function examineEgresses(
  config: Config,
  clock: Clock,
  sessionsIn: DoctorContext['sessionsIn'],
): Promise<readonly EgressFinding[]> {
  const findings = await runChecks({
    config,
    clock,
    sessionsIn,
    offline: false,
    egressIps: [],
    perEgress: true,
  });
  const [first] = config.smtp.egresses;
  return findings
    .filter(({ isNotApplicable }) => isNotApplicable !== true)
    .map((finding) => ({ ...finding, egress: finding.egress ?? first?.name ?? '' }));
}

/** Runs all checks concurrently; takes at most about 12 s. */
export async function runChecks(options: CheckOptions): Promise<Finding[]> {
  const { config, clock, sessionsIn } = options;
  const egressIps = options.egressIps.length > 0 ? options.egressIps : config.smtp.egressIps;
  const deadline = new AbortController();
  // Every check of every egress adds a listener.
  setMaxListeners(0, deadline.signal);
  void clock.pause(DEADLINE_MS, deadline.signal).then(() => deadline.abort());
  const database = new Database(config);
  const names = new DoctorResolver(config.dns.servers, deadline.signal);
  const localAddress = options.localAddress ?? (await localAddresses());
  const { egresses, allowCidrs } = config.smtp;
  const checks = options.perEgress ? CHECKS.filter(({ perEgress }) => perEgress) : CHECKS;
  const contextOf = (egress: EgressSettings): DoctorContext => ({
    egress,
    config,
    clock,
    names,
    dialler: diallerFor(egress.route),
    policy: new AddressPolicy(allowCidrs),
    publicAddresses: publicAddressesOf(egress, egresses, egressIps, localAddress),
    localAddress,
    database: () => database.opened(),
    sessionsIn,
    signal: deadline.signal,
  });
  const contexts = egresses.map(contextOf);
  const [context] = contexts as [DoctorContext];
  const obstacle = options.offline
    ? Promise.resolve(offline(notApplicable(found('offline_wanted', {}))))
    : obstacleOf(context);
  try {
    const runs = checks.flatMap((check) =>
      (check.perEgress ? contexts : [context]).map((target) => runCheck(check, target, obstacle)),
    );
    return await Promise.all(runs);
  } finally {
    deadline.abort();
    await database.close();
  }
}

async function runCheck(check: Check, context: DoctorContext, network: Promise<Obstacle>): Promise<Finding> {
  const needsNetwork = typeof check.network === 'function' ? check.network(context) : check.network;
  const obstacle = needsNetwork ? await network : null;
  const isOneOfSeveral = check.perEgress === true && context.config.smtp.egresses.length > 1;
  const egress = isOneOfSeveral ? context.egress.name : null;
  return { check: check.check, egress, why: check.why, ...(await resultOf(check, context, obstacle)) };
}

function resultOf(
  check: Check,
  context: DoctorContext,
  obstacle: Obstacle,
): Promise<CheckResult> | CheckResult {
  if (obstacle === null) return check.run(context).catch(crashed);
  return check === RESOLVER ? obstacle.ofResolver : obstacle.result;
}

function crashed(error: unknown): CheckResult {
  const message = error instanceof Error ? error.message : String(error);
  return skipped(found('check_failed', { reason: message }), remedy('report', {}));
}

/** The first lookup with records; without one, the first negative lookup or error. */
async function firstOf(lookups: readonly Promise<DnsLookup<string>>[]): Promise<DnsLookup<string>> {
  const [first, ...others] = lookups;
  const lookup = await first!;
  if (lookup.kind !== 'none' && lookup.kind !== 'no_domain') return lookup;
  return (await Promise.all(others)).find(({ kind }) => kind === 'records') ?? lookup;
}

function offline(result: CheckResult): Obstacle {
  return { result, ofResolver: result };
}

/**
 * On a machine with Internet access a resolver that does not respond is a failure, as is one that denies
 * well-known domains. It is reported once, by its own check.
 */
async function obstacleOf({ names, clock, signal, localAddress }: DoctorContext): Promise<Obstacle> {
  const done = new AbortController();
  const timeout = clock.pause(RESOLVER_TIMEOUT_MS, AbortSignal.any([done.signal, signal])).then(() => null);
  const all = WELL_KNOWN_DOMAINS.map((domain) => names.mx(domain));
  const lookup = await Promise.race([firstOf(all), timeout]);
  done.abort();
  if (lookup?.kind === 'no_domain' || lookup?.kind === 'none')
    return {
      result: skipped(DENIES_WELL_KNOWN),
      ofResolver: fail(
        `${DENIES_WELL_KNOWN}: its negative answers are not accepted, and verdicts based on one are unknown / dns_error`,
        'log in to this network if it requires that, or set DNS_SERVERS to a resolver with Internet access',
      ),
    };
  if (lookup !== null && (lookup.kind !== 'error' || lookup.code === 'ESERVFAIL')) return null;
  const { ipv4, ipv6 } = localAddress;
  if (ipv4 === null && ipv6 === null) return offline(skipped(found('offline', {})));
  const reason = found('no_name_server', {});
  const advice = 'correct DNS_SERVERS, or let the firewall pass port 53, UDP and TCP, to the resolver';
  return { result: skipped(reason), ofResolver: fail(reason, advice) };
}
