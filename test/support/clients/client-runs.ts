import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestApp } from '../app/app.js';
import { workOn } from '../app/bulk.js';

/** A program of a user of a client, as a child process. */
export class ClientRun {
  /** Of both streams. */
  output = '';
  private readonly printed = { out: '', err: '' };
  private readonly ended: Promise<number | null>;
  readonly child: ChildProcess;

  constructor(command: readonly string[], options: SpawnOptions) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const read = (part: 'out' | 'err') => (bytes: Buffer) => {
      this.output += bytes.toString();
      this.printed[part] += bytes.toString();
    };
    this.child.stdout?.on('data', read('out'));
    this.child.stderr?.on('data', read('err'));
    this.ended = once(this.child, 'close').then(([code]) => code as number | null);
  }

  /** Resolves when it has printed these words. @throws Error if it ends before. */
  async said(words: string): Promise<void> {
    let hasEnded = false;
    void this.ended.then(() => (hasEnded = true));
    while (!this.output.includes(words)) {
      if (hasEnded) throw new Error(`it ended without "${words}":\n${this.output}`);
      await Promise.race([once(this.child.stdout!, 'data'), once(this.child.stderr!, 'data'), this.ended]);
    }
  }

  /** The lines that it printed. @param app works on bulk jobs until then. @throws Error if it failed. */
  async lines(app?: TestApp): Promise<string[]> {
    let hasEnded = false;
    void this.ended.then(() => (hasEnded = true));
    // The program submits its jobs at any time.
    while (app !== undefined && !hasEnded) {
      await workOn(app);
      await Promise.race([pause(50), this.ended]);
    }
    if ((await this.ended) !== 0) throw new Error(this.output);
    return this.output.trimEnd().split('\n');
  }

  /** Its exit code, null after a signal, and what it printed. */
  async result(): Promise<{ code: number | null; out: string; err: string }> {
    return { code: await this.ended, ...this.printed };
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** Installs the packed file of a folder of this repository in a project, as a user does. */
export async function installPacked(folder: string, project: string): Promise<void> {
  const npm = (args: readonly string[], cwd: string) => new ClientRun(['npm', ...args], { cwd }).lines();
  const root = join(import.meta.dirname, '../../..');
  const [packed = ''] = await npm(['pack', '--silent', '--pack-destination', project, `./${folder}`], root);
  const file = join(project, packed);
  await npm(['install', '--offline', '--no-audit', '--no-fund', '--silent', file], project);
}
