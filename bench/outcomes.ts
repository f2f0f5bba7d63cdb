/**
 * Estimates and accusations in worlds with hidden truth. Each has 200 domains, among them catch-alls with different
 * shares of mailboxes that exist; shares drift.
 *
 * - `small hosts`: 40 hosts with one or two domains, of which 6 accept every recipient and return the mail later; the
 *   other domains belong to customers of 4 others
 * - `large hosts`: all domains belong to customers of 8 hosts; at each host one customer returns mail
 * - `drift`: as `small hosts`; since day 60 other hosts return mail. It is measured when no outcome of before is in the
 *   window
 * - `bounces only`: as `small hosts`, and no delivery is reported
 *
 *   npm run ts bench/outcomes.ts [seed]
 */
import { REASON_TABLE, type Reason } from '../src/kernel/verdict.js';
import { domainsOf, unitsIn, withUnits } from '../src/modules/verification/outcomes/domain/learn.js';
import {
  returnsMail,
  type ReturnedCount,
} from '../src/modules/verification/outcomes/domain/returned-mail.js';
import {
  estimateOf,
  learn,
  type GroupCount,
} from '../src/modules/verification/outcomes/domain/statistics.js';
import { Units, type Place } from '../src/modules/verification/outcomes/domain/units.js';

const SMALL_HOSTS = 40;
const RETURNING = 6;
const DOMAINS = 200;
const DAYS = 180;
const MEASURED_FROM = 90;
const WINDOW = 90;
const MAILS_A_DAY = 400;
const CHANGED_ON = 60;
/** What is found: shares that are clearly below nine tenths, or above. Drift moves some between them. */
const RETURNED = 0.88;
const REJECTING = 0.95;

interface World {
  name: string;
  /** Of domains that belong to one of the 40 hosts; the others are customers of large ones. */
  ownDomains: number;
  largeHosts: number;
  drift: number;
  /** Other hosts return mail from a day on. */
  changes: boolean;
  reportsDeliveries: boolean;
}

const SMALL_HOSTS_WORLD: World = {
  name: 'small hosts',
  ownDomains: 60,
  largeHosts: 4,
  drift: 0.002,
  changes: false,
  reportsDeliveries: true,
};
const WORLDS: readonly World[] = [
  SMALL_HOSTS_WORLD,
  { ...SMALL_HOSTS_WORLD, name: 'large hosts', ownDomains: 0, largeHosts: 8 },
  { ...SMALL_HOSTS_WORLD, name: 'drift', drift: 0.002, changes: true },
  { ...SMALL_HOSTS_WORLD, name: 'bounces only', reportsDeliveries: false },
];

interface Domain extends Place {
  host: string;
  reason: Reason;
  share: number;
  drift: number;
  weight: number;
  /** Its servers accept every recipient, and mail is returned later. */
  returns: boolean;
}
interface Mail {
  day: number;
  domain: Domain;
  delivered: boolean;
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The shares of a world change; the domains and their hosts stay. */
function domainsIn(world: World, random: () => number): { domains: Domain[]; change: () => void } {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const around = (center: number, spread: number) =>
    1 / (1 + Math.exp(-(Math.log(center / (1 - center)) + spread * normal())));
  const shareOf = (returns: boolean) => (returns ? around(0.7, 0.4) : around(0.98, 0.3));
  const ofSmallHost = Array.from({ length: SMALL_HOSTS }, (_, n) => shareOf(n < RETURNING));
  const domains = Array.from({ length: DOMAINS }, (_, n): Domain => {
    const isOwn = n < world.ownDomains;
    const largeHost = n % Math.max(1, world.largeHosts);
    const returns = isOwn ? n % SMALL_HOSTS < RETURNING : world.ownDomains === 0 && n < world.largeHosts;
    const isCatchAll = !returns && random() < 0.2;
    const share = isCatchAll
      ? around(0.6, 1)
      : isOwn
        ? around(ofSmallHost[n % SMALL_HOSTS] ?? 0.9, 0.2)
        : shareOf(returns);
    return {
      domain: `d${n}.test`,
      host: isOwn ? `small${n % SMALL_HOSTS}.test` : `large${largeHost}.test`,
      provider: null,
      reason: isCatchAll ? 'catch_all' : 'accepted_email',
      share,
      drift: normal() * world.drift,
      weight: 1 / (1 + random() * 20),
      returns,
    };
  });
  const change = () => {
    const own = domains.slice(0, world.ownDomains).filter(({ reason }) => reason !== 'catch_all');
    for (const domain of own) {
      const n = Number(/\d+/.exec(domain.host)?.[0]);
      domain.returns = n >= RETURNING && n < 2 * RETURNING;
      domain.share = shareOf(domain.returns);
    }
  };
  return { domains, change };
}

function run(world: World, seed: number) {
  const random = generator(seed);
  const { domains, change } = domainsIn(world, random);
  const total = domains.reduce((sum, { weight }) => sum + weight, 0);
  const draw = () => {
    let left = random() * total;
    return domains.find(({ weight }) => (left -= weight) <= 0) ?? domains[0]!;
  };
  const mails: Mail[] = [];
  const measuredFrom = world.changes ? CHANGED_ON + WINDOW : MEASURED_FROM;
  const seen = { outcomes: 0, domains: 0, covered: 0, brier: 0, constant: 0 };
  const bins = Array.from({ length: 10 }, () => ({ estimated: 0, delivered: 0 }));
  for (let day = 0; day < DAYS; day += 1) {
    if (world.changes && day === CHANGED_ON) change();
    const recent = mails.filter((mail) => mail.day >= day - WINDOW);
    const { units, statistics } = learnFrom(world, recent);
    const estimate = ({ reason, ...place }: Domain) =>
      estimateOf(statistics, {
        reason,
        domain: place.domain,
        host: units.hostOf(place),
        delivered: null,
      });
    for (const domain of domains)
      domain.share = 1 / (1 + Math.exp(-(Math.log(domain.share / (1 - domain.share)) + domain.drift)));
    for (let n = 0; n < MAILS_A_DAY; n += 1) {
      const domain = draw();
      const delivered = random() < domain.share;
      mails.push({ day, domain, delivered });
      const given = day < measuredFrom ? null : estimate(domain);
      if (given === null) continue;
      const hit = delivered ? 1 : 0;
      seen.outcomes += 1;
      seen.brier += (given.deliverable - hit) ** 2;
      seen.constant += (REASON_TABLE[domain.reason].score / 100 - hit) ** 2;
      const bin = bins[Math.min(9, Math.floor(given.deliverable * 10))]!;
      bin.estimated += given.deliverable;
      bin.delivered += hit;
    }
    if (day < measuredFrom) continue;
    for (const domain of domains) {
      const given = estimate(domain);
      if (given === null) continue;
      seen.domains += 1;
      if (given.low <= domain.share && domain.share <= given.high) seen.covered += 1;
    }
  }
  const error = bins.reduce((sum, bin) => sum + Math.abs(bin.estimated - bin.delivered), 0) / seen.outcomes;
  return {
    outcomes: seen.outcomes,
    error,
    coverage: seen.covered / seen.domains,
    brier: seen.brier / seen.outcomes,
    constant: seen.constant / seen.outcomes,
    ...accused(world, mails),
  };
}

/** What the service learns: each mail goes to another address. */
function learnFrom(world: World, mails: readonly Mail[]) {
  const groups = new Map<Domain, GroupCount & Place>();
  for (const { domain: of, delivered } of mails) {
    const { reason, host, provider, domain } = of;
    const empty = {
      reason,
      host,
      provider,
      domain,
      addresses: 0,
      delivered: 0,
      bouncesOnly: 0,
      deliveredToo: 0,
    };
    const group = groups.get(of) ?? empty;
    groups.set(of, group);
    if (delivered && !world.reportsDeliveries) continue;
    group.addresses += 1;
    group.delivered += delivered ? 1 : 0;
    group.bouncesOnly += delivered || world.reportsDeliveries ? 0 : 1;
  }
  const units = unitsOf([...groups.values()]);
  const known = [...groups.values()].filter(({ addresses }) => addresses > 0);
  return { units, statistics: learn(withUnits(known, units)) };
}

function unitsOf(places: readonly Place[]): Units {
  const idOf = (domain: string) => domain;
  return new Units(domainsOf(places, new Map(), idOf), idOf);
}

/** Hosts, or customers of a large one, at the end. Addresses at catch-alls do not count as accepted. */
function accused(world: World, mails: readonly Mail[]) {
  const own = mails.filter(({ day, domain }) => day >= DAYS - WINDOW && domain.reason !== 'catch_all');
  const counts = new Map<Domain, ReturnedCount>();
  const sent = new Map<string, number>();
  const units = unitsOf(own.map(({ domain }) => domain));
  for (const { domain: of, delivered } of own) {
    const { host, provider, domain } = of;
    const empty = { host, provider, domain, outcomes: 0, bounced: 0, delivered: 0, bouncesOnly: 0 };
    const count = counts.get(of) ?? empty;
    counts.set(of, count);
    sent.set(units.unitOf(of), (sent.get(units.unitOf(of)) ?? 0) + 1);
    if (delivered && !world.reportsDeliveries) continue;
    count.outcomes += 1;
    count[delivered ? 'delivered' : 'bounced'] += 1;
    count.bouncesOnly += delivered || world.reportsDeliveries ? 0 : 1;
  }
  const result = { found: 0, returning: 0, wrong: 0, others: 0 };
  const domainsOfUnit = new Map<string, Domain[]>();
  for (const domain of counts.keys()) {
    const name = units.unitOf(domain);
    domainsOfUnit.set(name, [...(domainsOfUnit.get(name) ?? []), domain]);
  }
  for (const { name, count } of unitsIn([...counts.values()], units)) {
    const isAccused = returnsMail(count, { accepted: sent.get(name) ?? 0, bounced: count.bounced });
    const ofUnit = domainsOfUnit.get(name) ?? [];
    if (ofUnit.some(({ returns, share }) => returns && share <= RETURNED)) {
      result.returning += 1;
      if (isAccused) result.found += 1;
    } else if (ofUnit.every(({ share }) => share >= REJECTING)) {
      result.others += 1;
      if (isAccused) result.wrong += 1;
    }
  }
  return result;
}

const seeds = process.argv[2] === undefined ? [1, 2, 3, 4, 5] : [Number(process.argv[2])];
for (const world of WORLDS) {
  console.log(`\n${world.name}\nseed  error  coverage   Brier  constant    found  accused`);
  for (const seed of seeds) {
    const { outcomes, error, coverage, brier, constant, found, returning, wrong, others } = run(world, seed);
    const numbers = [error.toFixed(4), coverage.toFixed(3), brier.toFixed(4), constant.toFixed(4)];
    const cells = outcomes === 0 ? ['none', '', '', ''] : numbers;
    const units = [`${found}/${returning}`, `${wrong}/${others}`];
    console.log(
      [String(seed).padStart(4), ...[...cells, ...units].map((cell) => cell.padStart(8))].join(' '),
    );
  }
}
