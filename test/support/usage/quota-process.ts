import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WITH_TYPESCRIPT } from '../processes/with-typescript.js';
import type { Order } from './quota-process.main.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SCRIPT = fileURLToPath(new URL('./quota-process.main.ts', import.meta.url));

/** A process that charges the quota of a team continuously, for one order after the other. */
export class QuotaProcess {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly exited: Promise<unknown>;

  private constructor() {
    this.child = spawn(process.execPath, [...WITH_TYPESCRIPT, SCRIPT], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.exited = once(this.child, 'exit');
    const output: Interface = createInterface(this.child.stdout as NodeJS.ReadableStream);
    this.lines = output[Symbol.asyncIterator]();
  }

  static async start(): Promise<QuotaProcess> {
    const process = new QuotaProcess();
    await process.hear('started');
    return process;
  }

  /** Resolves when the process is connected to the database of the order. */
  async prepare(order: Order): Promise<void> {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
    await this.hear('ready');
  }

  /** Carries the order out. @returns the number of accepted charges. */
  async accepted(): Promise<number> {
    this.child.stdin?.write('begin\n');
    return Number(await this.hear('accepted'));
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  private async hear(word: string): Promise<string> {
    const next = await this.lines.next();
    const [said, rest = ''] = next.done ? ['nothing'] : next.value.split(' ');
    if (said !== word) throw new Error(`expected ${word}, heard ${said}`);
    return rest;
  }
}
