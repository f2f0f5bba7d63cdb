/**
 * Estimates and operators in a world with hidden truth: 40 operators, of which 6 accept every recipient and return
 * the mail later; 200 domains, among them catch-alls with different shares of mailboxes that exist; shares drift.
 *
 *   npx tsx bench/outcomes.ts [seed]
 */
import { REASON_TABLE, type Reason } from '../src/kernel/verdict.js';
import {
  estimateOf,
  learn,
  type GroupCount,
  type Statistics,
} from '../src/modules/outcomes/domain/statistics.js';

const OPERATORS = 40;
const RETURNING = 6;
const DOMAINS = 200;
const DAYS = 180;
const MEASURED_FROM = 90;
const WINDOW = 90;
const MAILS_A_DAY = 400;

interface Domain {
  name: string;
  operator: number;
  reason: Reason;
  share: number;
  drift: number;
  weight: number;
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

function run(seed: number) {
  const random = generator(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const around = (center: number, spread: number) =>
    1 / (1 + Math.exp(-(Math.log(center / (1 - center)) + spread * normal())));
  const isReturning = (operator: number) => operator < RETURNING;
  const ofOperator = Array.from({ length: OPERATORS }, (_, n) =>
    isReturning(n) ? around(0.7, 0.4) : around(0.98, 0.5),
  );
  const domains: Domain[] = Array.from({ length: DOMAINS }, (_, n) => {
    const operator = n % OPERATORS;
    const isCatchAll = random() < 0.2;
    const share = isCatchAll ? around(0.6, 1) : around(ofOperator[operator] ?? 0.9, 0.4);
    const reason = isCatchAll ? 'catch_all' : 'accepted_email';
    return {
      name: `d${n}.test`,
      operator,
      reason,
      share,
      drift: normal() * 0.002,
      weight: 1 / (1 + random() * 20),
    };
  });
  const total = domains.reduce((sum, { weight }) => sum + weight, 0);
  const draw = () => {
    let left = random() * total;
    return domains.find(({ weight }) => (left -= weight) <= 0) ?? domains[0]!;
  };
  const mails: Mail[] = [];
  const seen = { outcomes: 0, covered: 0, brier: 0, constant: 0 };
  const bins = Array.from({ length: 10 }, () => ({ estimated: 0, delivered: 0 }));
  for (let day = 0; day < DAYS; day += 1) {
    const statistics = learnFrom(mails.filter((mail) => mail.day >= day - WINDOW));
    for (const domain of domains)
      domain.share = 1 / (1 + Math.exp(-(Math.log(domain.share / (1 - domain.share)) + domain.drift)));
    for (let n = 0; n < MAILS_A_DAY; n += 1) {
      const domain = draw();
      const delivered = random() < domain.share;
      mails.push({ day, domain, delivered });
      if (day < MEASURED_FROM) continue;
      const { reason, name } = domain;
      const estimate = estimateOf(statistics, {
        reason,
        operator: `op${domain.operator}`,
        domain: name,
        delivered: null,
      });
      if (estimate === null) continue;
      const hit = delivered ? 1 : 0;
      seen.outcomes += 1;
      seen.brier += (estimate.deliverable - hit) ** 2;
      seen.constant += (REASON_TABLE[reason].score / 100 - hit) ** 2;
      const bin = bins[Math.min(9, Math.floor(estimate.deliverable * 10))]!;
      bin.estimated += estimate.deliverable;
      bin.delivered += hit;
    }
    if (day < MEASURED_FROM) continue;
    for (const { reason, name, operator, share } of domains) {
      const estimate = estimateOf(statistics, {
        reason,
        operator: `op${operator}`,
        domain: name,
        delivered: null,
      });
      if (estimate !== null && estimate.low <= share && share <= estimate.high) seen.covered += 1;
    }
  }
  const measuredDays = DAYS - MEASURED_FROM;
  const error = bins.reduce((sum, bin) => sum + Math.abs(bin.estimated - bin.delivered), 0) / seen.outcomes;
  return {
    error,
    coverage: seen.covered / (measuredDays * DOMAINS),
    brier: seen.brier / seen.outcomes,
    constant: seen.constant / seen.outcomes,
    ...accused(mails, isReturning),
  };
}

function learnFrom(mails: readonly Mail[]): Statistics {
  const groups = new Map<Domain, GroupCount>();
  for (const { domain, delivered } of mails) {
    const { reason, operator, name } = domain;
    const group = groups.get(domain) ?? {
      reason,
      operator: `op${operator}`,
      domain: name,
      addresses: 0,
      delivered: 0,
    };
    group.addresses += 1;
    group.delivered += delivered ? 1 : 0;
    groups.set(domain, group);
  }
  return learn([...groups.values()].sort((a, b) => b.addresses - a.addresses));
}

/** The rule of `PostgresExperienceRepository`, for addresses that were accepted and are at no catch-all. */
function accused(mails: readonly Mail[], isReturning: (operator: number) => boolean) {
  let found = 0;
  let wrong = 0;
  for (let operator = 0; operator < OPERATORS; operator += 1) {
    const own = mails.filter(
      ({ day, domain }) =>
        day >= DAYS - WINDOW && domain.operator === operator && domain.reason !== 'catch_all',
    );
    const bounced = own.filter(({ delivered }) => !delivered).length;
    if (bounced < 3 || bounced * 10 < own.length) continue;
    if (isReturning(operator)) found += 1;
    else wrong += 1;
  }
  return { found, wrong };
}

const seeds = process.argv[2] === undefined ? [1, 2, 3, 4, 5] : [Number(process.argv[2])];
console.log('seed  error  coverage   Brier  constant  found  accused');
for (const seed of seeds) {
  const { error, coverage, brier, constant, found, wrong } = run(seed);
  const cells = [
    error.toFixed(4),
    coverage.toFixed(3),
    brier.toFixed(4),
    constant.toFixed(4),
    `${found}/6`,
    `${wrong}/34`,
  ];
  console.log([String(seed).padStart(4), ...cells.map((cell) => cell.padStart(8))].join(' '));
}
