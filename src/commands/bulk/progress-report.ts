import { SingleBar } from 'cli-progress';
import type { Writable } from 'node:stream';
import { plural } from '../terminal.js';
import { printable } from '../../kernel/text/printable.js';

interface Phase {
  name: string;
  unit: 'rows' | 'bytes' | 'domains';
  /**
   * What the rest waits for, which is shown instead of an estimate; null: for nothing in particular.
   *
   * @param idleMs time since the last progress.
   */
  waitingFor?: (idleMs: number) => string | null;
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
const REDRAW_INTERVAL_MS = 1_000;
/** The minimum time for an estimate by the rate. */
const MIN_SAMPLE_MS = 2_000;

/** Shows progress: a bar in a terminal, else a line every ten seconds if it differs from the previous one. */
export class ProgressReport {
  /** null: nothing is shown. */
  private phase: Phase | null = null;
  private first: { atMs: number; done: number } | null = null;
  private latest: Progress | null = null;
  private bar: SingleBar | null = null;
  private timer: NodeJS.Timeout | null = null;
  private changedAtMs = 0;
  private line = '';

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
    if (done !== this.latest?.done) this.changedAtMs = nowMs;
    this.latest = { done, total, remainingSeconds: done < total ? estimate : null };
    if (this.output.isTTY !== true)
      this.timer ??= setInterval(() => this.writeLine(), LINE_INTERVAL_MS).unref();
    else {
      this.draw();
      this.timer ??= setInterval(() => this.draw(), REDRAW_INTERVAL_MS).unref();
    }
  }

  /** A sentence on a line of its own. */
  say(sentence: string): void {
    this.stop();
    this.output.write(`rcpt: ${printable(sentence)}\n`);
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

  private draw(): void {
    if (this.latest === null || this.phase === null) return;
    const { done, total } = this.latest;
    const payload = { phase: this.phase.name, text: this.text(this.latest, this.phase).join(' | ') };
    if (this.bar === null) {
      this.bar = new SingleBar({
        format: '{phase} {bar} {percentage}% | {text}',
        barsize: 24,
        hideCursor: true,
        // Otherwise the first Ctrl-C would not end the process.
        gracefulExit: false,
        stream: this.output,
      });
      this.bar.start(total, done, payload);
    }
    this.bar.setTotal(total);
    this.bar.update(done, payload);
  }

  private writeLine(): void {
    if (this.latest === null || this.phase === null) return;
    const { done, total } = this.latest;
    const percentage = total > 0 ? Math.floor((100 * done) / total) : 100;
    const line = [`${this.phase.name}: ${percentage}%`, ...this.text(this.latest, this.phase)].join(', ');
    if (line === this.line) return;
    this.line = line;
    this.output.write(`rcpt: ${line}\n`);
  }

  private text({ done, total, remainingSeconds }: Progress, { unit, waitingFor }: Phase): string[] {
    const counts =
      unit === 'bytes'
        ? `${megabytes(done)} of ${megabytes(total)} MB`
        : `${done} of ${plural(total, unit.slice(0, -1))}`;
    const waiting = done < total ? waitingFor?.(performance.now() - this.changedAtMs) : null;
    if (waiting) return [counts, printable(waiting)];
    return remainingSeconds === null ? [counts] : [counts, `about ${duration(remainingSeconds)} left`];
  }
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
