import type { Schemas } from '../../api/client';
import { greatest } from '../../../../src/kernel/long-lists';

export type System = Schemas['System'];

/** The counters of the service at a time. They grow until the process restarts. */
interface Point {
  atMs: number;
  verdicts: number;
  unknown: number;
  queueSeconds: number;
}

/** Half an hour of points every ten seconds. */
const MAX_POINTS = 180;
const MINUTE_MS = 60_000;

/** The service stores no history, so it begins when this page is opened. */
export class SystemHistory {
  private points: readonly Point[] = [];

  add({ at, verdicts, queues }: System): void {
    const point = {
      atMs: Date.parse(at),
      verdicts: verdicts.total,
      unknown: verdicts.by_status.unknown ?? 0,
      queueSeconds: greatest(
        queues.map(({ oldest_seconds }) => oldest_seconds),
        0,
      ),
    };
    if (point.atMs !== this.points.at(-1)?.atMs) this.points = [...this.points, point].slice(-MAX_POINTS);
  }

  /** Of the first point; null: there is none yet. */
  get since(): Date | null {
    const [first] = this.points;
    return first === undefined ? null : new Date(first.atMs);
  }

  get perMinute(): number[] {
    return this.rates(({ verdicts }) => verdicts);
  }

  get unknownPerMinute(): number[] {
    return this.rates(({ unknown }) => unknown);
  }

  get queueSeconds(): number[] {
    return this.points.map(({ queueSeconds }) => queueSeconds);
  }

  private rates(total: (point: Point) => number): number[] {
    return this.points.slice(1).map((point, index) => {
      const before = this.points[index] ?? point;
      // Another process, or one that has restarted, counts from a lower number.
      const grown = Math.max(0, total(point) - total(before));
      return (grown * MINUTE_MS) / Math.max(1, point.atMs - before.atMs);
    });
  }
}
