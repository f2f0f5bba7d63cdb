import { SingleBar } from 'cli-progress';
import type { Writable } from 'node:stream';

interface Phase {
  name: string;
  unit: 'rows' | 'bytes';
}

type Output = Writable & { isTTY?: boolean };

interface Progress {
  done: number;
  total: number;
  /** null: not known. */
  remainingSeconds: number | null;
}

/** Interval of the lines where the output is not a terminal, such as the log of a scheduled run. */
const LINE_INTERVAL_MS = 10_000;
/** The minimum time for an estimate by the rate. */
const MIN_SAMPLE_MS = 2_000;

/** Shows progress: a bar in a terminal, else a line every ten seconds. */
export class ProgressReport {
  /** null: nothing is shown. */
  private phase: Phase | null = null;
  private first: { atMs: number; done: number } | null = null;
  private latest: Progress | null = null;
  private bar: SingleBar | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly output: Output = process.stderr) {}

  /** Ends the previous phase. */
  start(phase: Phase): void {
    this.stop();
    this.phase = phase;
  }

  /** @param remainingSeconds as the service estimates it; undefined: it is estimated from the rate here. */
  update(done: number, total: number, remainingSeconds?: number | null): void {
    // An abandoned request may still read its body.
    if (this.phase === null) return;
    const nowMs = performance.now();
    this.first ??= { atMs: nowMs, done };
    const estimate = remainingSeconds === undefined ? this.estimate(done, total, nowMs) : remainingSeconds;
    this.latest = { done, total, remainingSeconds: done < total ? estimate : null };
    if (this.output.isTTY === true) this.draw(this.latest, this.phase);
    else this.timer ??= setInterval(() => this.writeLine(), LINE_INTERVAL_MS).unref();
  }

  /** A sentence on a line of its own. */
  say(sentence: string): void {
    this.stop();
    this.output.write(`rcpt: ${sentence}\n`);
  }

  /** Also makes the cursor of the terminal visible again. */
  stop(): void {
    this.bar?.stop();
    if (this.timer !== null) clearInterval(this.timer);
    this.phase = null;
    this.bar = null;
    this.timer = null;
    this.first = null;
    this.latest = null;
  }

  private estimate(done: number, total: number, nowMs: number): number | null {
    if (this.first === null) return null;
    const ms = nowMs - this.first.atMs;
    const more = done - this.first.done;
    return ms < MIN_SAMPLE_MS || more <= 0 ? null : Math.ceil((((total - done) / more) * ms) / 1_000);
  }

  private draw(progress: Progress, phase: Phase): void {
    const payload = { phase: phase.name, text: textOf(progress, phase) };
    if (this.bar === null) {
      this.bar = new SingleBar({
        format: '{phase} {bar} {percentage}% | {text}',
        barsize: 24,
        hideCursor: true,
        // Otherwise the first Ctrl-C would not end the process.
        gracefulExit: false,
        stream: this.output,
      });
      this.bar.start(progress.total, progress.done, payload);
    }
    this.bar.setTotal(progress.total);
    this.bar.update(progress.done, payload);
  }

  private writeLine(): void {
    if (this.latest === null || this.phase === null) return;
    const { done, total } = this.latest;
    const percentage = total > 0 ? Math.floor((100 * done) / total) : 100;
    const text = textOf(this.latest, this.phase).replaceAll(' | ', ', ');
    this.output.write(`rcpt: ${this.phase.name}: ${percentage}%, ${text}\n`);
  }
}

function textOf({ done, total, remainingSeconds }: Progress, { unit }: Phase): string {
  const counts =
    unit === 'rows' ? `${done} of ${total} rows` : `${megabytes(done)} of ${megabytes(total)} MB`;
  return remainingSeconds === null ? counts : `${counts} | about ${duration(remainingSeconds)} left`;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

/** The two largest units. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
