import type { DataSource } from 'typeorm';
import type { PermitUsage } from '../../../engine/limits/permit-store.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Config } from '../../../platform/config/config.js';
import type { AddressPolicy } from '../../../platform/net/address-policy.js';
import type { Dialler } from '../../../platform/net/dialler.js';
import type { EgressSettings } from '../../../platform/net/egress.js';
import type { Finding, FindingLevel } from '../domain/finding.js';
import type { DoctorResolver } from './names.js';

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
  usageOf: (database: DataSource) => Promise<readonly PermitUsage[]>;
  /** Aborts at the deadline. */
  signal: AbortSignal;
}

export type CheckResult = Pick<Finding, 'level' | 'found' | 'whatToDo' | 'isNotApplicable'>;

export interface Check extends Pick<Finding, 'check' | 'why'> {
  /** Needs the network, always or depending on the configuration; skipped when there is none. */
  network: boolean | ((context: DoctorContext) => boolean);
  /** Runs once for each egress. */
  perEgress?: true;
  run(context: DoctorContext): Promise<CheckResult>;
}

export const pass = (found: string): CheckResult => ({ level: 'pass', found, whatToDo: null });
export const warn = (found: string, whatToDo: string): CheckResult => ({ level: 'warn', found, whatToDo });
export const fail = (found: string, whatToDo: string): CheckResult => ({ level: 'fail', found, whatToDo });
export const skipped = (found: string, whatToDo: string | null = null): CheckResult => ({
  level: 'skipped',
  found,
  whatToDo,
});

/** Skipped by the configuration or by the caller, which is no failure. */
export const notApplicable = (found: string): CheckResult => ({ ...skipped(found), isNotApplicable: true });

const WORST_FIRST: readonly FindingLevel[] = ['fail', 'warn', 'skipped', 'pass'];

/** Combines several findings: the highest level, with the texts of all findings of that level. */
export function worstOf(results: readonly CheckResult[]): CheckResult {
  const level =
    WORST_FIRST.find((candidate) => results.some((result) => result.level === candidate)) ?? 'skipped';
  const worst = results.filter((result) => result.level === level);
  return {
    level,
    found: worst.map(({ found }) => found).join('; '),
    whatToDo: worst.find(({ whatToDo }) => whatToDo !== null)?.whatToDo ?? null,
  };
}
