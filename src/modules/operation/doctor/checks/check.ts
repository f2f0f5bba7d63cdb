import type { DataSource } from 'typeorm';
import type { Clock } from '../../../../kernel/clock.js';
import type { Config } from '../../../../platform/config/config.js';
import type { AddressPolicy } from '../../../../platform/net/address-policy.js';
import type { Dialler } from '../../../../platform/net/dialler.js';
import type { EgressSettings } from '../../../../platform/net/egress.js';
import type { Finding, FindingLevel } from '../domain/finding.js';
import {
  foundText,
  remedyText,
  type FoundCode,
  type RemedyCode,
  type Sentence,
} from '../domain/sentences.js';
import type { DoctorResolver } from './names.js';
import type { ProviderState } from '../../../../engine/limits/provider-sessions.js';

export type OpenedDatabase = { dataSource: DataSource } | { absent: true } | { error: string };

/** Dependencies of the checks. */
export interface DoctorContext {
  config: Config;
  clock: Clock;
  names: DoctorResolver;
  /** The egress that is checked; the first one where it does not matter. */
  egress: EgressSettings;
  /** Connects through the egress. */
  dialler: Dialler;
  /** The policy for mail server addresses. */
  policy: AddressPolicy;
  /** The public addresses that mail servers see of the egress; empty: unknown. */
  publicAddresses: readonly string[];
  /** The source addresses towards the Internet; null: no route. */
  localAddress: Readonly<Record<'ipv4' | 'ipv6', string | null>>;
  /** Opened once for all checks. Never rejects. */
  database: () => Promise<OpenedDatabase>;
  /** The sessions with mail providers, of all processes. */
  sessionsIn: (database: DataSource) => Promise<readonly ProviderState[]>;
  /** Aborts at the deadline. */
  signal: AbortSignal;
}

export type CheckResult = Pick<
  Finding,
  'level' | 'found' | 'whatToDo' | 'findings' | 'remedy' | 'isNotApplicable'
>;

export interface Check extends Pick<Finding, 'check' | 'why'> {
  /** Needs the network, always or depending on the configuration; skipped when there is none. */
  network: boolean | ((context: DoctorContext) => boolean);
  /** Runs once for each egress. */
  perEgress?: true;
  run(context: DoctorContext): Promise<CheckResult>;
}

/** A text in English, of a check that is made once. */
type Found = Sentence<FoundCode> | string;
type Remedy = Sentence<RemedyCode> | string;

function resultOf(
  level: FindingLevel,
  said: readonly Sentence<FoundCode>[],
  todo: Remedy | null,
): CheckResult {
  const toDo = typeof todo === 'string' ? ({ code: 'other', params: { text: todo } } as const) : todo;
  return {
    level,
    found: said.map(foundText).join('; '),
    whatToDo: toDo === null ? null : remedyText(toDo),
    findings: said,
    remedy: toDo,
  };
}

const sentenceOf = (said: Found): Sentence<FoundCode> =>
  typeof said === 'string' ? { code: 'other', params: { text: said } } : said;

export const pass = (said: Found): CheckResult => resultOf('pass', [sentenceOf(said)], null);
export const warn = (said: Found, todo: Remedy): CheckResult => resultOf('warn', [sentenceOf(said)], todo);
export const fail = (said: Found, todo: Remedy): CheckResult => resultOf('fail', [sentenceOf(said)], todo);
export const skipped = (said: Found, todo: Remedy | null = null): CheckResult =>
  resultOf('skipped', [sentenceOf(said)], todo);

/** Skipped by the configuration or by the caller, which is no failure. */
export const notApplicable = (said: Found): CheckResult => ({ ...skipped(said), isNotApplicable: true });

const WORST_FIRST: readonly FindingLevel[] = ['fail', 'warn', 'skipped', 'pass'];

/** Combines several findings: the highest level, with the texts of all findings of that level. */
export function worstOf(results: readonly CheckResult[]): CheckResult {
  const level =
    WORST_FIRST.find((candidate) => results.some((result) => result.level === candidate)) ?? 'skipped';
  const worst = results.filter((result) => result.level === level);
  const toDo = worst.find(({ remedy }) => remedy !== null)?.remedy ?? null;
  return resultOf(
    level,
    worst.flatMap(({ findings }) => findings),
    toDo,
  );
}
