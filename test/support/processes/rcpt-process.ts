import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join, resolve } from 'node:path';

import { recordLog } from '../jest/log-scan.js';

/** Processes of tests make no connections of their own, unless the test asks for them. */
const QUIET = { SELF_CHECK_EVERY: '0' };

const root = join(import.meta.dirname, '../../..');

/** A process of the built program with its output so far. */
export class RcptProcess {
  stdout = '';
  stderr = '';
  private static readonly running = new Set<RcptProcess>();
  private readonly ended: Promise<number | null>;
  private readonly watchers = new Set<() => void>();

  private constructor(readonly child: ChildProcess) {
    const hear = (part: 'stdout' | 'stderr') => (chunk: Buffer) => {
      this[part] += chunk.toString();
      recordLog(chunk);
      for (const watcher of this.watchers) watcher();
    };
    // A process that was killed has not read all of its input.
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('data', hear('stdout'));
    child.stderr?.on('data', hear('stderr'));
    RcptProcess.running.add(this);
    this.ended = once(child, 'close').then(([code]) => {
      RcptProcess.running.delete(this);
      for (const watcher of this.watchers) watcher();
      return code as number | null;
    });
  }

  /** @param args the script under `dist`, or its path in another build, and its arguments. */
  static run(args: string[], env: Record<string, string> = {}): RcptProcess {
    const [script = '', ...rest] = args;
    const { PATH = '', HOME = '' } = process.env;
    const program = resolve(root, 'dist', script);
    // Some packages are looked for from the working directory.
    const cwd = join(dirname(program), '..');
    return new RcptProcess(
      spawn(process.execPath, [program, ...rest], { env: { PATH, HOME, ...QUIET, ...env }, cwd }),
    );
  }

  /** The program on a pseudo-terminal of `script`, which passes on what is written to standard input. */
  static onTerminal(command: string, env: Record<string, string>): RcptProcess {
    const { PATH = '', HOME = '' } = process.env;
    const options = { env: { PATH, HOME, ...QUIET, ...env }, cwd: root };
    return new RcptProcess(spawn('script', ['-qec', command, '/dev/null'], options));
  }

  /** `npm start`, as a supervisor may run it. It would build an old tree first, while other tests use the build. */
  static npmStart(env: Record<string, string>): RcptProcess {
    const { PATH = '', HOME = '' } = process.env;
    const options = { env: { PATH, HOME, ...QUIET, ...env }, cwd: root };
    return new RcptProcess(spawn('npm', ['start', '--ignore-scripts'], options));
  }

  /** Kills processes that a failed test has left. */
  static async endAll(): Promise<void> {
    await Promise.all([...this.running].map((child) => child.end('SIGKILL')));
  }

  /** Resolves with the URL of the service. @throws if the process ends before. */
  async ready(): Promise<string> {
    const said = () => /ready on (\S+)/.exec(this.stdout)?.[1];
    await this.until(() => said() !== undefined);
    return said() ?? '';
  }

  /** Resolves when the condition is true. @throws if the process ends before. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.child.exitCode !== null) throw new Error(`ended: ${this.stderr}`);
      await new Promise<void>((resolve) => this.watchers.add(resolve));
    }
  }

  /** The exit code; null after a signal. */
  exit(): Promise<number | null> {
    return this.ended;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}
