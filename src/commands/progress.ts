import { SingleBar } from 'cli-progress';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** A bar with rate and remaining time on standard error; nothing when it is not a terminal. */
export class ProgressBar {
  private readonly bar = new SingleBar({
    format: '{bar} {percentage}% | {value}/{total} | {rate}/s | {eta_formatted} left',
    hideCursor: true,
    noTTYOutput: false,
    stream: process.stderr,
    etaBuffer: 50,
  });
  private first: { atMs: number; done: number } | null = null;

  update(done: number, total: number): void {
    const nowMs = performance.now();
    if (this.first === null) {
      this.first = { atMs: nowMs, done };
      this.bar.start(total, done, { rate: 0 });
    }
    const seconds = (nowMs - this.first.atMs) / 1000;
    const rate = seconds > 0 ? Math.round((done - this.first.done) / seconds) : 0;
    this.bar.setTotal(total);
    this.bar.update(done, { rate });
  }

  stop(): void {
    this.bar.stop();
  }
}

/** @returns the stored progress; null: there is none, or it belongs to another list. */
export async function readProgress<Note extends { digest: string }>(
  file: string,
  digest: string,
): Promise<Note | null> {
  try {
    const progress = JSON.parse(await readFile(file, 'utf8')) as Note;
    return progress.digest === digest ? progress : null;
  } catch {
    return null;
  }
}

/** Replaces the file atomically: if the process is killed, the previous version stays. */
export async function writeProgress(file: string, progress: object): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(progress), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

export async function removeProgress(file: string): Promise<void> {
  await rm(file, { force: true });
}
