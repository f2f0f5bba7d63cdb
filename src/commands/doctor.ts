import { readConfig } from '../platform/config/config.js';
import { SystemClock } from '../platform/time/system-clock.js';
import type { Level } from '../modules/doctor/adapters/check.js';
import { problemOfAddresses } from '../modules/doctor/adapters/public-addresses.js';
import { runChecks, type NamedResult } from '../modules/doctor/adapters/examination.js';
import { TIME_SERVER } from '../modules/doctor/adapters/time.js';
import { print, UsageError, type Format } from './terminal.js';

interface DoctorOptions extends Format {
  offline?: true;
  egressIp?: string[];
}

/** Exits with 1 when a check fails. */
export async function runDoctor({ offline = undefined, egressIp = [], json }: DoctorOptions): Promise<void> {
  const config = readConfig();
  const problem = problemOfAddresses(egressIp, config.smtp.egresses);
  if (problem !== null) throw new UsageError(problem);
  const results = await runChecks({
    config,
    clock: new SystemClock(),
    offline: offline === true,
    egressIps: egressIp,
    timeServer: TIME_SERVER,
  });
  print(json === undefined ? {} : { json }, toJson(results), () => toText(results));
  process.exitCode = count(results, 'fail') > 0 ? 1 : 0;
}

function toJson(results: readonly NamedResult[]) {
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

function toText(results: readonly NamedResult[]): string {
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

function count(results: readonly NamedResult[], level: Level): number {
  return results.filter((each) => each.level === level).length;
}
