import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SCRIPT = fileURLToPath(new URL('./embedded-postgres.main.mjs', import.meta.url));

interface Order {
  readonly dataDir: string;
  readonly packageDir?: string;
  readonly service?: boolean;
  /** Switches to this account first; requires root. */
  readonly uid?: number | undefined;
}

/** Another process that uses the embedded PostgreSQL. */
export class OtherProcess {
  private static readonly started: OtherProcess[] = [];

  /** URL of its database; rejects with its error. */
  readonly url: Promise<string>;
  readonly log: string[] = [];
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;

  constructor(order: Order) {
    this.child = spawn(process.execPath, [SCRIPT, JSON.stringify(order)], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.exited = once(this.child, 'exit');
    this.url = this.outcome();
    this.url.catch(() => undefined);
    OtherProcess.started.push(this);
  }

  static async killAll(): Promise<void> {
    await Promise.all(OtherProcess.started.splice(0).map((process) => process.kill()));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  async close(): Promise<void> {
    this.child.stdin?.write('close\n');
    await this.exited;
  }

  /** Calls `process.exit` without closing. */
  async exit(): Promise<void> {
    this.child.stdin?.write('exit\n');
    await this.exited;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private async outcome(): Promise<string> {
    if (!this.child.stdout) throw new Error('no output to read');
    for await (const line of createInterface(this.child.stdout)) {
      const [word, ...rest] = line.split(' ');
      if (word === 'open') return rest.join(' ');
      if (word === 'failed') throw new Error(rest.join(' '));
      this.log.push(rest.join(' '));
    }
    throw new Error('the other process ended without a word');
  }
}
