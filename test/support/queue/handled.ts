import type { JobData } from './queue-app.js';

/** What a processor has handled, and a way to wait for more. */
export class Handled {
  readonly names: (string | number | undefined)[] = [];
  private readonly watchers = new Set<() => void>();

  readonly handler = async (data: JobData): Promise<void> => {
    this.names.push(data.name);
    for (const watcher of this.watchers) watcher();
  };

  async until(enough: (names: Handled['names']) => boolean): Promise<void> {
    while (!enough(this.names)) await new Promise<void>((resolve) => this.watchers.add(resolve));
  }
}
