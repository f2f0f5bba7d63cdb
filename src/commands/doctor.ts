import { isIP } from 'node:net';
import { readConfig } from '../platform/config/config.js';
import { SystemClock } from '../platform/time/system-clock.js';
import type { Level } from './doctor/check.js';
import { runChecks, type NamedResult } from './doctor/examination.js';
import { print, UsageError, type Format } from './terminal.js';

interface DoctorOptions extends Format {
  offline?: true;
  egressIp?: string[];
}

const TIME_SERVER = { name: 'pool.ntp.org', port: 123 };

/** Exits with 1 when a check fails. */
export async function runDoctor({ offline = undefined, egressIp = [], json }: DoctorOptions): Promise<void> {
  const noAddress = egressIp.find((text) => isIP(text) === 0 || text.includes('%'));
  if (noAddress !== undefined) throw new UsageError('--egress-ip must be an address, such as 203.0.113.25');
  const config = readConfig();
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
    checks: results.map(({ check, level, found, why, whatToDo }) => ({
      check,
      level,
      found,
      why,
      what_to_do: whatToDo,
    })),
  };
}

function toText(results: readonly NamedResult[]): string {
  const lines = results.flatMap(({ check, level, found, why, whatToDo }) => [
    `${level.padEnd(8)} ${check}: ${found}`,
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
