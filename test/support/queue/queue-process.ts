import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WITH_TYPESCRIPT } from '../processes/with-typescript.js';
import type { Pace } from './queue-parts.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SCRIPT = fileURLToPath(new URL('./queue-process.main.ts', import.meta.url));

export interface QueueProcessOrder {
  url: string;
  pace: Pace;
}

/** A process that takes jobs of the queue `orphaned` and never finishes them. */
export class QueueProcess {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly exited: Promise<unknown>;

  constructor(order: QueueProcessOrder) {
    this.child = spawn(process.execPath, [...WITH_TYPESCRIPT, SCRIPT, JSON.stringify(order)], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.exited = once(this.child, 'exit');
    const output = createInterface(this.child.stdout as NodeJS.ReadableStream);
    this.lines = output[Symbol.asyncIterator]();
  }

  /** Resolves with the name of the job that is being processed. */
  async holds(): Promise<string> {
    const next = await this.lines.next();
    if (next.done) throw new Error('the process ended before it held a job');
    return next.value.replace('holds ', '');
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}
