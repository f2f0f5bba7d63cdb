import { Meter } from '../../kernel/meter.js';

/** Nobody reads the counters of a library or of a command. */
export class NoMeter extends Meter {
  override count(): void {}
  override observe(): void {}
  override gauge(): void {}
  override read(): Promise<[]> {
    return Promise.resolve([]);
  }
}
