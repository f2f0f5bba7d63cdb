import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { isOnMachine } from '../jest/machine.js';

/** With it, programs that only start a command connect to a URL. Its 84 packages are too many for the lock file. */
const PACKAGE = 'mcp-remote@0.15.1';
const QUICK = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--fetch-retries=0'];

/** `mcp-remote`, installed from npm in a folder of its own, where it also keeps its tokens. */
export class McpRemote {
  private constructor(private readonly folder: string) {}

  /** @returns null without npm or a registry. */
  static async install(): Promise<McpRemote | null> {
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-mcp-remote-'));
    try {
      await promisify(execFile)('npm', ['install', '--prefix', folder, ...QUICK, PACKAGE], { cwd: folder });
      return new McpRemote(folder);
    } catch {
      isOnMachine('npm packages', false);
      await rm(folder, { recursive: true });
      return null;
    }
  }

  /** @param callbackPort where the browser comes back to. */
  start(url: string, callbackPort: number): McpRemoteRun {
    const program = join(this.folder, 'node_modules/mcp-remote/dist/proxy.js');
    return new McpRemoteRun(
      spawn(process.execPath, [program, url, String(callbackPort)], {
        // It opens no browser of this machine.
        env: { ...process.env, MCP_REMOTE_CONFIG_DIR: this.folder, BROWSER: 'true', DISPLAY: '' },
      }),
    );
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}

export class McpRemoteRun {
  private readonly answers: Interface;
  private log = '';

  constructor(private readonly child: ChildProcessWithoutNullStreams) {
    this.answers = createInterface({ input: child.stdout });
  }

  /** The page that the user has to open. */
  authorizationUrl(): Promise<URL> {
    return new Promise((resolve, reject) => {
      this.child.stderr.on('data', (chunk: Buffer) => {
        this.log += chunk.toString();
        const [url] = /https?:\S+\/oauth\/authorize\?\S+/.exec(this.log) ?? [];
        if (url !== undefined) resolve(new URL(url));
      });
      this.child.once('exit', () => reject(new Error(this.log)));
    });
  }

  /** Sends a message as the program does that has started it. @returns the answer. */
  async send(message: object): Promise<unknown> {
    const line = new Promise<string>((resolve) => this.answers.once('line', resolve));
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
    return JSON.parse(await line) as unknown;
  }

  stop(): void {
    this.child.kill();
  }
}
