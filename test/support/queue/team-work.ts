import type { TeamId } from '../../../src/kernel/principal.js';

interface Processor<Unit> {
  claim(team: TeamId): Promise<Unit | null>;
  work(unit: Unit, signal: AbortSignal): Promise<void>;
}

/** Does the work of the jobs of a queue until none can be claimed, as `TeamProcessor` does with any number of jobs. */
export async function workAll<Unit>(
  processor: Processor<Unit>,
  teamsOf: () => Promise<readonly TeamId[]>,
  signal = new AbortController().signal,
): Promise<void> {
  const workFor = async (team: TeamId): Promise<boolean> => {
    const unit = signal.aborted ? null : await processor.claim(team);
    if (unit === null) return false;
    await Promise.all([processor.work(unit, signal).then(() => workFor(team)), workFor(team)]);
    return true;
  };
  for (let hasWorked = true; hasWorked && !signal.aborted;) {
    const worked = await Promise.all((await teamsOf()).map(workFor));
    hasWorked = worked.includes(true);
  }
}
