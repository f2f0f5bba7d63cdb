import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '../../kernel/clock.js';
import { withDeadline } from '../../kernel/deadline.js';
import type { HealthRegistry } from '../../kernel/service-state/health-registry.js';
import type { Pause } from '../../kernel/service-state/pause.js';
import { QueueStates, type QueueState } from '../../kernel/service-state/queue-states.js';
import type { QueueGauges } from './queue-gauges.js';

/** A job waits seconds while a worker runs. */
const STANDSTILL_SECONDS = 300;
const INTERVAL_MS = 30_000;
/** A store that is away may keep its clients waiting until it is back. */
const LIST_TIMEOUT_MS = 1_000;

/**
 * Reports a queue whose jobs wait although none is active: no worker runs, the queue was paused, or what is stored
 * of it cannot be read. Sweeps enqueue work that is missing, but these jobs are there.
 */
export class QueueWatch extends QueueStates implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly queues = new Map<string, QueueGauges>();
  private readonly causes = new Map<string, string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    health: HealthRegistry,
    private readonly pause: Pause,
    private readonly clock: Clock,
  ) {
    super();
    health.register(
      'queue',
      () => (this.causes.size > 0 ? 'degraded' : 'ok'),
      () => [...this.causes.values()].join('; '),
    );
  }

  async list(): Promise<QueueState[]> {
    const states = [...this.queues].map(async ([name, gauges]) => {
      const shared = withDeadline(LIST_TIMEOUT_MS, null, () => gauges.shared(), this.clock);
      const counts = await shared.catch(() => null);
      if (counts === null) return [];
      const { waiting, active, oldestWaitingSeconds } = counts;
      return [{ name, waiting, active, oldestWaitingSeconds }];
    });
    return (await Promise.all(states)).flat();
  }

  add(name: string, gauges: QueueGauges): void {
    this.queues.set(name, gauges);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  async look(): Promise<void> {
    if (this.pause.isPaused) return this.causes.clear();
    for (const [name, gauges] of this.queues) {
      const cause = await causeOf(name, gauges);
      if (cause === null) this.causes.delete(name);
      else this.causes.set(name, cause);
    }
  }
}

async function causeOf(name: string, gauges: QueueGauges): Promise<string | null> {
  try {
    const { active, oldestWaitingSeconds } = await gauges.counts();
    if (active > 0 || (oldestWaitingSeconds ?? 0) < STANDSTILL_SECONDS) return null;
    const waited = Math.round(oldestWaitingSeconds ?? 0);
    return `jobs of ${name} have waited for ${waited} s and none is active: start a worker, or resume the queue`;
  } catch (error) {
    // That the store does not respond is reported by the store.
    return /WRONGTYPE/.test(String(error))
      ? `the jobs of ${name} in Redis have a wrong type: delete them`
      : null;
  }
}
