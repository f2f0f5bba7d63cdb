import type { Type } from '@nestjs/common';
import { Clock } from '../../../src/kernel/clock.js';
import type { TeamId } from '../../../src/kernel/principal.js';
import type { TeamWorker } from '../../../src/kernel/queue/team-work.js';
import { Lease } from '../../../src/platform/queue/lease.js';
import type { TestApp } from '../app/app.js';

interface Processor<Unit> {
  claim(team: TeamId): Promise<Unit | null>;
  work(unit: Unit, signal: AbortSignal): Promise<void>;
}

/** A unit that a service of the application has claimed. */
export function leaseOf<Unit>(
  { service: { app } }: TestApp,
  service: Type<TeamWorker<Unit>>,
  unit: Unit,
): Lease<Unit> {
  return new Lease(app.get(service), unit, app.get(Clock));
}

/**
 * Does the work of the jobs of a queue until none can be claimed, as `TeamProcessor` does with any number of jobs.
 * @throws the first error of a unit, after all other units and claims have ended.
 */
export async function workAll<Unit>(
  processor: Processor<Unit>,
  teamsOf: () => Promise<readonly TeamId[]>,
  signal = new AbortController().signal,
): Promise<void> {
  const workFor = async (team: TeamId): Promise<boolean> => {
    const unit = signal.aborted ? null : await processor.claim(team);
    if (unit === null) return false;
    await allEnded([processor.work(unit, signal).then(() => workFor(team)), workFor(team)]);
    return true;
  };
  for (let hasWorked = true; hasWorked && !signal.aborted;) {
    const worked = await allEnded((await teamsOf()).map(workFor));
    hasWorked = worked.includes(true);
  }
}

/** `Promise.all` would leave a claim running that takes a unit from what the test does next. */
async function allEnded<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
