import type { Estimate } from '../../../../kernel/outcomes.js';
import { betaQuantile, logGamma } from './beta.js';
import { knowsDeliveries, type Reported } from './deliveries.js';
import { greatest } from '../../../../kernel/long-lists.js';

/** Addresses whose latest outcome is known: those with the same reason, host and domain. */
export interface GroupCount extends Reported {
  reason: string;
  /** `Units.hostOf` */
  host: string | null;
  domain: string;
  addresses: number;
  /** The part of `delivered` that has the reporters of `bouncesOnly`. */
  deliveredToo: number;
}

/** Effective numbers of outcomes: those of one group depend on each other. */
interface Counts {
  outcomes: number;
  effective: number;
  delivered: number;
}

interface ReasonStatistics extends Counts {
  /** How alike hosts are, and domains of a host (the sum of the parameters of a beta distribution). */
  concentration: { host: number; domain: number };
}

/** Bounded: the groups with the most outcomes, without those of which only bounces are reported. */
export interface Statistics {
  reasons: Readonly<Record<string, ReasonStatistics>>;
  /** By reason and host. */
  hosts: Readonly<Record<string, Counts>>;
  /** By reason, host and domain. */
  domains: Readonly<Record<string, readonly [outcomes: number, delivered: number]>>;
}

/** What the estimate of an address depends on. */
interface EstimatedAddress extends Pick<GroupCount, 'reason' | 'host' | 'domain'> {
  /** The latest outcome of this address; null: none. */
  delivered: boolean | null;
}

const MAX_HOSTS = 300;
const MAX_DOMAINS = 500;
/** An address keeps its outcome nearly always. */
const ADDRESS_CONCENTRATION = 0.25;
/** The tails outside the 90 % interval. */
const TAIL = 0.05;

/** The standard deviation, in logits, of the change of a share since its outcomes, which are weeks old. */
const DRIFT = 0.13;

/** A belief about a share: its mean and variance. */
interface Belief {
  mean: number;
  variance: number;
}

/** Jeffreys’ prior for a reason. */
const PRIOR: Belief = { mean: 0.5, variance: 0.125 };

/** Learns how alike hosts and domains are, and counts. @param reported the largest first. */
export function learn(reported: readonly GroupCount[]): Statistics {
  const groups = withoutLoneBounces(reported);
  const reasons: Record<string, ReasonStatistics> = {};
  const hosts: [string, Counts][] = [];
  for (const [reason, ofReason] of groupedBy(groups, (group) => group.reason)) {
    const byHost = [...groupedBy(ofReason, (group) => group.host ?? '')].map(([name, ofHost]) => {
      const domains = ofHost.map((group) => exact(group.addresses, group.delivered));
      return { name, domains, isWhole: areWhole(ofHost) };
    });
    const domain = fit(byHost.map(({ domains }) => domains));
    const counts = byHost.map(({ domains }) => pooled(domains, domain));
    const host = fit([counts]);
    for (const [n, { name, isWhole }] of byHost.entries())
      if (isWhole) hosts.push([keyOf(reason, name), counts[n]!]);
    const ofAll = areWhole(ofReason) ? pooled(counts, host) : NONE;
    reasons[reason] = { ...ofAll, concentration: { host, domain } };
  }
  const largest = hosts.sort(([, a], [, b]) => b.outcomes - a.outcomes).slice(0, MAX_HOSTS);
  const whole = groups.filter(knowsDeliveries).slice(0, MAX_DOMAINS);
  const domains = whole.map(({ reason, host, domain, addresses, delivered }) => {
    return [keyOf(reason, host ?? '', domain), [addresses, delivered] as const] as const;
  });
  return { reasons, hosts: Object.fromEntries(largest), domains: Object.fromEntries(domains) };
}

/** The estimate for an address; null: at no level bounces and deliveries are known. */
export function estimateOf(statistics: Statistics, address: EstimatedAddress): Estimate | null {
  const reason = Object.hasOwn(statistics.reasons, address.reason)
    ? statistics.reasons[address.reason]
    : undefined;
  const { host: ofHosts, domain: ofDomains } = reason?.concentration ?? DEFAULTS;
  let level = levelOf('reason', reason);
  let belief = updated(PRIOR, 1, reason ?? NONE, true);
  const host = statistics.hosts[keyOf(address.reason, address.host ?? '')];
  if (address.host !== null) level = levelOf('host', host) ?? level;
  belief = updated(belief, ofHosts, host ?? NONE);
  const domain = statistics.domains[keyOf(address.reason, address.host ?? '', address.domain)];
  const ofDomain = domain === undefined ? NONE : exact(domain[0], domain[1]);
  level = levelOf('domain', ofDomain) ?? level;
  belief = updated(belief, ofDomains, ofDomain);
  if (address.delivered !== null) {
    level = { basis: 'address', outcomes: 1 };
    belief = updated(belief, ADDRESS_CONCENTRATION, exact(1, address.delivered ? 1 : 0));
  }
  if (level === null) return null;
  const [a, b] = parametersOf(belief);
  return {
    deliverable: rounded(belief.mean),
    low: rounded(Math.min(belief.mean, betaQuantile(TAIL, a, b))),
    high: rounded(Math.max(belief.mean, betaQuantile(1 - TAIL, a, b))),
    ...level,
  };
}

function levelOf(
  basis: Estimate['basis'],
  counts: Counts = NONE,
): Pick<Estimate, 'basis' | 'outcomes'> | null {
  return counts.outcomes === 0 ? null : { basis, outcomes: counts.outcomes };
}

/**
 * The belief about a group, from that about the next level. The variance of the group is that of its level
 * around the mean, plus the uncertainty of the mean.
 */
function updated(parent: Belief, concentration: number, counts: Counts, isTop = false): Belief {
  const { mean, variance } = parent;
  const spread = (mean * (1 - mean) - variance) / (concentration + 1);
  const [a, b] = parametersOf({ mean, variance: isTop ? variance : variance + Math.max(0, spread) });
  const [delivered, bounced] = [a + counts.delivered, b + counts.effective - counts.delivered];
  const sum = delivered + bounced;
  const share = delivered / sum;
  const drift = counts.outcomes === 0 ? 0 : DRIFT * share * (1 - share);
  return { mean: share, variance: (share * (1 - share)) / (sum + 1) + drift * drift };
}

/** Of the beta distribution with this mean and variance. */
function parametersOf({ mean, variance }: Belief): [number, number] {
  const sum = Math.max(0.02, (mean * (1 - mean)) / Math.max(variance, 1e-9) - 1);
  return [Math.max(1e-3, mean * sum), Math.max(1e-3, (1 - mean) * sum)];
}

const NONE: Counts = { outcomes: 0, effective: 0, delivered: 0 };
const CONCENTRATIONS = [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const DEFAULTS = { host: 8, domain: 8 };

/**
 * The most probable concentration of groups around the share of their parent: the likelihood of the
 * beta-binomial distribution, with a weak prior for few groups.
 */
function fit(families: readonly (readonly Counts[])[]): number {
  const known = families.map((groups) => ({ groups, mean: meanOf(groups) }));
  const likelihoods = CONCENTRATIONS.map((concentration) => {
    const distance = Math.log(concentration / DEFAULTS.domain);
    let sum = -(distance * distance) / 8;
    for (const { groups, mean } of known)
      for (const group of groups) sum += logLikelihood(group, mean, concentration);
    return sum;
  });
  return CONCENTRATIONS[likelihoods.indexOf(greatest(likelihoods))] ?? DEFAULTS.domain;
}

function logLikelihood({ effective, delivered }: Counts, mean: number, concentration: number): number {
  const [a, b] = [mean * concentration, (1 - mean) * concentration];
  const logBeta = (x: number, y: number) => logGamma(x) + logGamma(y) - logGamma(x + y);
  return logBeta(a + delivered, b + effective - delivered) - logBeta(a, b);
}

/** Groups count alike, whatever their size: one large group must not be the mean of all. */
function meanOf(groups: readonly Counts[]): number {
  const counts = pooled(groups, DEFAULTS.domain);
  return (counts.delivered + 0.5) / (counts.effective + 1);
}

/** The sum of groups, in which one group counts at most like `concentration + 1` independent outcomes. */
function pooled(groups: readonly Counts[], concentration: number): Counts {
  const sum = { outcomes: 0, effective: 0, delivered: 0 };
  for (const { outcomes, effective, delivered } of groups) {
    const share = (concentration + 1) / (concentration + effective);
    sum.outcomes += outcomes;
    sum.effective += effective * share;
    sum.delivered += delivered * share;
  }
  return sum;
}

/**
 * Reporters with more bounces than deliveries report bounces only. In a group without deliveries their bounces are no
 * share, and would be none in the levels above.
 */
function withoutLoneBounces(groups: readonly GroupCount[]): readonly GroupCount[] {
  const sum = (of: (group: GroupCount) => number) => groups.reduce((total, group) => total + of(group), 0);
  if (sum((group) => group.deliveredToo) >= sum((group) => group.bouncesOnly)) return groups;
  return groups.flatMap((group) => {
    const addresses = group.addresses - group.bouncesOnly;
    if (knowsDeliveries(group)) return group;
    return addresses === 0 ? [] : { ...group, addresses, bouncesOnly: 0 };
  });
}

function areWhole(groups: readonly Reported[]): boolean {
  const sum = (of: (group: Reported) => number) => groups.reduce((total, group) => total + of(group), 0);
  return knowsDeliveries({
    delivered: sum((group) => group.delivered),
    bouncesOnly: sum((group) => group.bouncesOnly),
  });
}

function exact(outcomes: number, delivered: number): Counts {
  return { outcomes, effective: outcomes, delivered };
}

function keyOf(...names: readonly string[]): string {
  return names.join(' ');
}

function groupedBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group === undefined) groups.set(nameOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
