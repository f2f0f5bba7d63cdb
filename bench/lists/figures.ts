import { availableParallelism } from 'node:os';
import type { Status } from '../../src/kernel/verdict.js';
import type { Bound } from './bound.js';
import type { Plan } from './plan.js';
import type { ListRun, Progress, ShortVerdict } from './runs.js';
import { OTHERS } from './world.js';

/** The figures of a run, by name. */
export function figuresOf(run: ListRun, plan: Plan, bound: Bound): Record<string, string | number> {
  const { ms, progress, cpuMs, counts, processes } = run;
  const rows = plan.rows.length;
  const done = progress.at(-1)?.rows ?? 0;
  const mostMs = progress.find((each) => each.rows >= 0.9 * rows)?.atMs;
  return {
    'rows/s': Math.round((done / ms) * 1000),
    'whole list s': seconds(ms),
    '÷ critical path': (ms / bound.wholeMs).toFixed(2),
    '90 % of the rows s': mostMs === undefined ? 'never' : seconds(mostMs),
    '÷ its bound': mostMs === undefined ? 'never' : (mostMs / bound.mostMs).toFixed(2),
    'first row s': seconds(progress[0]?.atMs ?? ms),
    'longest gap in the first half s': seconds(longestGap(progress, ms / 2)),
    ...verdictsOf(run, plan),
    ...sessionsOf(run, plan),
    'CPU ms/address': (cpuMs / rows).toFixed(2),
    'processor share': (cpuMs / ms / processes).toFixed(2),
    'processor bound s': seconds(cpuMs / Math.min(processes, availableParallelism())),
    'processor share of the servers': (counts.cpuMs / ms).toFixed(2),
    'load before': run.loadBefore.toFixed(1),
  };
}

type Deviation = 'wrong' | 'not known' | 'not done';

interface DeviationLine {
  run: string;
  deviation: Deviation;
  server: string;
  right: Status;
  given: string | null;
  rows: number;
}

function verdictsOf(run: ListRun, plan: Plan) {
  const found = deviationsOf(run, plan);
  const count = (kind: Deviation) =>
    found.reduce((sum, { deviation, rows }) => sum + (deviation === kind ? rows : 0), 0);
  return {
    'rows not done': count('not done'),
    'wrong verdicts': count('wrong'),
    'not known, at a working server': count('not known'),
  };
}

/** The rows without the right verdict, by server and reason. */
export function deviationsOf({ name, verdicts }: ListRun, { rows }: Plan): DeviationLine[] {
  const found = new Map<string, DeviationLine>();
  for (const { email, server, status: right } of rows) {
    const given = verdicts.get(email);
    if (given?.status === right) continue;
    const of = server.provider ?? `small, ${server.behaviour}`;
    const key = `${of} ${right} ${given?.reason}`;
    const line = found.get(key) ?? {
      run: name,
      deviation: deviationOf(given),
      server: of,
      right,
      given: given?.reason ?? null,
      rows: 0,
    };
    line.rows += 1;
    found.set(key, line);
  }
  return [...found.values()];
}

/** A verdict is wrong when it contradicts the truth. One that says that it does not know contradicts nothing. */
function deviationOf(given: ShortVerdict | undefined): Deviation {
  if (!given?.status) return 'not done';
  return given.status === 'unknown' || given.reason === 'catch_all_unknown' ? 'not known' : 'wrong';
}

function sessionsOf({ counts }: ListRun, { servers }: Plan) {
  const all = Object.values(counts.sessions);
  const limits = new Map(servers.map(({ provider, sessions }) => [provider ?? OTHERS, sessions]));
  return {
    connections: all.reduce((sum, { connections }) => sum + connections, 0),
    ...Object.fromEntries(
      Object.entries(counts.sessions).map(
        ([name, { mostAtOnce, mostAtAddress, rejected, lastRecipientMs }]) => [
          `${name}, ${limits.get(name)} allowed`,
          `${mostAtOnce} (${mostAtAddress}), ${rejected} above, ${Math.round(lastRecipientMs / 1000)} s`,
        ],
      ),
    ),
  };
}

/** Between rows, and before the first one. */
function longestGap(progress: readonly Progress[], untilMs: number): number {
  const times = progress.map(({ atMs }) => atMs).filter((atMs) => atMs < untilMs);
  const gaps = [...times, untilMs].map((atMs, n) => atMs - (times[n - 1] ?? 0));
  return gaps.reduce((longest, gap) => Math.max(longest, gap), 0);
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
