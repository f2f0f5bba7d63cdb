import { DoctorModule } from '../modules/doctor/doctor.module.js';
import { DoctorService, type Finding, type FindingLevel } from '../modules/doctor/doctor.service.js';
import { withModules } from './command-context.js';
import { print, type Format } from './terminal.js';

interface DoctorOptions extends Format {
  offline?: true;
  egressIp?: string[];
}

/** Exits with 1 when a check fails. */
export async function runDoctor({ offline = undefined, egressIp = [], json }: DoctorOptions): Promise<void> {
  const findings = await withModules([DoctorModule], (services) =>
    services(DoctorService).examine({ offline: offline === true, egressIps: egressIp }),
  );
  print(json === undefined ? {} : { json }, toJson(findings), () => toText(findings));
  process.exitCode = count(findings, 'fail') > 0 ? 1 : 0;
}

function toJson(results: readonly Finding[]) {
  return {
    ok: count(results, 'fail') === 0,
    checks: results.map(({ check, egress, level, found, why, whatToDo }) => ({
      check,
      egress,
      level,
      found,
      why,
      what_to_do: whatToDo,
    })),
  };
}

function toText(results: readonly Finding[]): string {
  const lines = results.flatMap(({ check, egress, level, found, why, whatToDo }) => [
    `${level.padEnd(8)} ${check}${egress === null ? '' : ` (${egress})`}: ${found}`,
    `${' '.repeat(9)}why: ${why}`,
    ...(whatToDo === null ? [] : [`${' '.repeat(9)}do: ${whatToDo}`]),
  ]);
  const counts = (['pass', 'warn', 'fail', 'skipped'] as const).map(
    (level) => `${count(results, level)} ${level}`,
  );
  return [...lines, '', counts.join(', ')].join('\n');
}

function count(results: readonly Finding[], level: FindingLevel): number {
  return results.filter((each) => each.level === level).length;
}
