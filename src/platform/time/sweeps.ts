import { describeFault, type Log } from '../telemetry/log.js';

/** A chore that comes round. */
export interface Sweep {
  name: string;
  everyMs: number;
  /** @returns how many things it put in order. */
  run(): Promise<number>;
}

/** Runs each sweep now and then at its interval, never twice at once; a run that fails is logged and comes round again. */
export class Sweeps {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<Sweep, Promise<void>>();

  constructor(private readonly log: Log) {}

  start(sweeps: readonly Sweep[]): void {
    for (const sweep of sweeps) {
      this.begin(sweep);
      this.timers.push(setInterval(() => this.begin(sweep), sweep.everyMs));
    }
  }

  /** Starts no more runs, and waits for those under way. */
  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running.values());
  }

  private begin(sweep: Sweep): void {
    if (this.running.has(sweep)) return;
    const run = this.run(sweep).finally(() => this.running.delete(sweep));
    this.running.set(sweep, run);
  }

  private async run(sweep: Sweep): Promise<void> {
    try {
      const count = await sweep.run();
      if (count > 0) this.log.debug({ sweep: sweep.name, count }, 'swept');
    } catch (error) {
      this.log.error({ sweep: sweep.name, err: describeFault(error) }, 'sweep failed');
    }
  }
}
