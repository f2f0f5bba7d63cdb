import { DoctorModule } from '../modules/operation/doctor/doctor.module.js';
import {
  DoctorService,
  type Finding,
  type FindingLevel,
} from '../modules/operation/doctor/doctor.service.js';
import { toFinding } from '../modules/operation/system/examination.dto.js';
import { unknownSettings } from '../platform/config/config.js';
import { withModules } from './command-context.js';
import { print, say, type Format } from './terminal.js';

interface DoctorOptions extends Format {
  offline?: true;
  egressIp?: string[];
}

/** When no check fails, but some could not be run, so that a script does not take them for passed. */
const EXIT_SKIPPED = 3;

/** Exits with 1 when a check fails, and with 3 when one could not be run. */
export async function runDoctor({ offline = undefined, egressIp = [], json }: DoctorOptions): Promise<void> {
  unknownSettings().forEach((sentence) => say(sentence));
  const findings = await withModules([DoctorModule], (services) =>
    services(DoctorService).examine({ offline: offline === true, egressIps: egressIp }),
  );
  const ok = count(findings, 'fail') === 0;
  const report = { ok, checks: findings.map(toFinding) };
  print(json === undefined ? {} : { json }, report, () => findingsText(findings));
  const couldNotRun = findings.some(({ level, isNotApplicable }) => level === 'skipped' && !isNotApplicable);
  process.exitCode = ok ? (couldNotRun ? EXIT_SKIPPED : 0) : 1;
}

/** Failures first; checks that were skipped for the same reason in one line. */
export function findingsText(results: readonly Finding[]): string {
  const shown = WORST_FIRST.flatMap((level) => results.filter((result) => result.level === level));
  const skipped = results.filter(({ level }) => level === 'skipped');
  const reasons = [...new Set(skipped.map(({ found }) => found))];
  const lines = [...shown.flatMap(textOf), ...reasons.flatMap((reason) => skippedText(skipped, reason))];
  const counts = (['pass', 'warn', 'fail', 'skipped'] as const).map(
    (level) => `${count(results, level)} ${level}`,
  );
  return [...lines, '', counts.join(', ')].join('\n');
}

const WORST_FIRST: readonly FindingLevel[] = ['fail', 'warn', 'pass'];

function textOf({ level, found, why, whatToDo, ...finding }: Finding): string[] {
  return [
    `${level.padEnd(8)} ${nameOf(finding)}: ${found}`,
    `${' '.repeat(9)}why: ${why}`,
    ...(whatToDo === null ? [] : [`${' '.repeat(9)}do: ${whatToDo}`]),
  ];
}

function skippedText(skipped: readonly Finding[], reason: string): string[] {
  const [first, ...others] = skipped.filter(({ found }) => found === reason);
  if (first === undefined) return [];
  if (others.length === 0) return textOf(first);
  const names = [first, ...others].map(nameOf).join(', ');
  return [`skipped  ${others.length + 1} checks: ${reason}`, `${' '.repeat(9)}they are: ${names}`];
}

function nameOf({ check, egress }: Pick<Finding, 'check' | 'egress'>): string {
  return egress === null ? check : `${check} (${egress})`;
}

function count(results: readonly Finding[], level: FindingLevel): number {
  return results.filter((result) => result.level === level).length;
}
