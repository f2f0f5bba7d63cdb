import { SingleBar } from 'cli-progress';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** A bar with rate and remaining time on standard error; nothing where nobody watches. */
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

/** @returns what an earlier run has noted; null: there was none, or it was about something else. */
export async function readNote<Note extends { digest: string }>(
  file: string,
  digest: string,
): Promise<Note | null> {
  try {
    const note = JSON.parse(await readFile(file, 'utf8')) as Note;
    return note.digest === digest ? note : null;
  } catch {
    return null;
  }
}

/** Replaces the note whole: a run that is killed meanwhile leaves the one before. */
export async function writeNote(file: string, note: object): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(note), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

export async function removeNote(file: string): Promise<void> {
  await rm(file, { force: true });
}
