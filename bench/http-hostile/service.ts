import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_bench', STRIPE_WEBHOOK_SECRET: 'whsec_bench' };

/** One API process with a database of its own. */
export class Service {
  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
    readonly key: string,
    private readonly dataDir: string,
  ) {}

  static async start(main: string): Promise<Service> {
    const dataDir = await mkdtemp(join(tmpdir(), 'rcpt-bench-'));
    await chmod(dataDir, 0o755);
    const own = {
      DATA_DIR: dataDir,
      PORT: '0',
      PUBLIC_URL: 'https://rcpt.example',
      LOG_LEVEL: 'silent',
      SELF_CHECK_EVERY: '0',
    };
    const env = { ...process.env, ...STRIPE, ...own };
    const child = spawn(process.execPath, [main, '--api'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    while (!/ready on \S+/.test(output)) output += String((await once(child.stdout, 'data'))[0]);
    child.stdout.resume();
    await pause(500);
    const port = Number(/ready on http:\/\/\S+:(\d+)/.exec(output)?.[1]);
    return new Service(child, port, /rcpt_live_\w+/.exec(output)?.[0] ?? '', dataDir);
  }

  async connect(): Promise<Socket> {
    // The client does not close its side when the server does.
    const socket = connect({ port: this.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Milliseconds until the first byte of the response. */
  async time(request: string): Promise<{ ms: number; status: string }> {
    const socket = await this.connect();
    const begun = performance.now();
    socket.write(request);
    const first = await Promise.race([once(socket, 'data'), pause(TIMEOUT_MS, null)]);
    const ms = performance.now() - begun;
    socket.destroy();
    return { ms, status: /^HTTP\/1.1 (\d+)/.exec(String(first?.[0]))?.[1] ?? 'none' };
  }

  async megabytes(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  }

  async descriptors(): Promise<number> {
    return (await readdir(`/proc/${this.child.pid}/fd`)).length;
  }

  async end(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.kill('SIGTERM');
    await closed;
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
