import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isOnMachine } from '../jest/machine.js';
import { freePort } from '../processes/free-port.js';

/** Debian installs it outside the PATH of some users. */
const PROGRAM = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (program) => spawnSync(program, ['-V']).status === 0,
);
/** Tests that need PgBouncer are skipped if it is not installed. */
export const hasPgBouncer = isOnMachine('PgBouncer', PROGRAM !== undefined);

/** A PgBouncer on loopback in front of one database. */
export class PgBouncer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly directory: string,
  ) {}

  static async start(databaseUrl: string, poolMode: 'session' | 'transaction'): Promise<PgBouncer> {
    const { hostname, port, pathname, username, password } = new URL(databaseUrl);
    const database = pathname.slice(1);
    const ownPort = await freePort();
    const directory = await mkdtemp(join(tmpdir(), 'rcpt-pgbouncer-'));
    const file = join(directory, 'pgbouncer.ini');
    await writeFile(
      file,
      `[databases]
${database} = host=${hostname} port=${port} dbname=${database} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
auth_type = any
pool_mode = ${poolMode}
unix_socket_dir =
`,
    );
    await chmod(directory, 0o755);
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn(PROGRAM ?? '', [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
    for await (const line of createInterface(child.stderr)) if (line.includes('process up')) break;
    child.stderr.resume();
    return new PgBouncer(`postgresql://${username}@127.0.0.1:${ownPort}${pathname}`, child, directory);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await rm(this.directory, { recursive: true });
  }
}
