import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isOnMachine } from '../jest/machine.js';
import { freePort } from '../processes/free-port.js';

/** Tests that need Redis are skipped if redis-server is not in PATH. */
export const hasRedis = isOnMachine('Redis', spawnSync('redis-server', ['--version']).status === 0);

/** A Redis server for one test, on the same port after a restart. */
export class RedisServer {
  private child: ChildProcess | null = null;
  private constructor(readonly port: number) {}

  static async onAFreePort(): Promise<RedisServer> {
    return new RedisServer(await freePort());
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}/0`;
  }

  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
    for await (const line of createInterface(this.child.stdout as NodeJS.ReadableStream)) {
      if (!line.includes('Ready to accept connections')) continue;
      this.child.stdout?.resume();
      return;
    }
    throw new Error('redis-server ended before it was ready');
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null) return;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}
