import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { QueueOrder } from './queue-parts.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPT = fileURLToPath(new URL('./queue-process.main.ts', import.meta.url));

/** A process that takes rings of the queue `orphaned` and never comes to an end with them. */
export class QueueProcess {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly exited: Promise<unknown>;

  constructor(order: QueueOrder) {
    this.child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, JSON.stringify(order)], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.exited = once(this.child, 'exit');
    const output = createInterface(this.child.stdout as NodeJS.ReadableStream);
    this.lines = output[Symbol.asyncIterator]();
  }

  /** Resolves with the name of the ring that it holds. */
  async holds(): Promise<string> {
    const next = await this.lines.next();
    if (next.done) throw new Error('the process ended before it held a ring');
    return next.value.replace('holds ', '');
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}
