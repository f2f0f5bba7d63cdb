import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../processes/free-port.js';
import { ADMIN, tokenOf, USERS, type User } from './users.js';

interface Parts {
  /** The program. It runs in its own folder, where a program without embedded files finds them. */
  program: string;
  /** An empty PostgreSQL database. */
  database: string;
  /** Where it sends its mail. */
  mailPort: number;
}

/** A running listmonk, on a database without its examples. It asks for no updates. */
export class RealListmonk {
  private tokens = new Map<string, string>([[ADMIN, tokenOf(ADMIN)]]);
  private process: ChildProcess | null = null;

  private constructor(
    private readonly parts: Parts,
    private readonly folder: string,
    private readonly port: number,
    readonly version: string,
  ) {}

  static async start(parts: Parts): Promise<RealListmonk> {
    const folder = await mkdtemp(join(tmpdir(), 'listmonk-'));
    const port = await freePort();
    const listmonk = new RealListmonk(parts, folder, port, await versionOf(parts.program));
    await writeFile(join(folder, 'config.toml'), listmonk.config());
    await listmonk.install();
    await listmonk.open();
    return listmonk;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The users that exist: older versions have one. */
  get users(): string[] {
    return [...this.tokens.keys()];
  }

  /** The value of the header `authorization`. */
  authorization(username: string, token = this.tokens.get(username) ?? ''): string {
    return `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
  }

  /** Those of `USERS`, whose lists exist. Versions before 4 have one user, who may do everything. */
  async addUsers(): Promise<void> {
    if (!this.hasUsers) return;
    for (const [name, user] of Object.entries(USERS)) if (name !== ADMIN) await this.addUser(name, user);
  }

  /** Totals are taken from a view that is filled at night. */
  async cacheTotals(): Promise<void> {
    await this.sql(`UPDATE settings SET value = 'true' WHERE key = 'app.cache_slow_queries'`);
    await this.close();
    await this.open();
  }

  async refreshTotals(): Promise<void> {
    await this.sql('REFRESH MATERIALIZED VIEW mat_list_subscriber_stats');
  }

  async stop(): Promise<void> {
    await this.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private config(): string {
    const { hostname, port, username, password, pathname } = new URL(this.parts.database);
    // In later versions it would have precedence over an API user of this name.
    const admin = `admin_username = "${ADMIN}"\nadmin_password = "${tokenOf(ADMIN)}"\n`;
    return `[app]
address = "127.0.0.1:${this.port}"
${this.hasUsers ? '' : admin}
[db]
host = "${hostname}"
port = ${port}
user = "${username}"
password = "${decodeURIComponent(password)}"
database = "${pathname.slice(1)}"
ssl_mode = "disable"
max_open = 10
max_idle = 5
max_lifetime = "300s"
`;
  }

  private get hasUsers(): boolean {
    return Number(/\d+/.exec(this.version)?.[0]) >= 4;
  }

  private async install(): Promise<void> {
    const installing = this.spawn(['--install', '--yes'], {
      LISTMONK_ADMIN_USER: 'owner',
      LISTMONK_ADMIN_PASSWORD: 'password-of-owner',
      LISTMONK_ADMIN_API_USER: ADMIN,
    });
    let said = '';
    installing.stderr?.on('data', (piece: Buffer) => (said += piece.toString()));
    const [code] = (await once(installing, 'close')) as [number];
    if (code !== 0) throw new Error(`It did not install: ${said}`);
    if (this.hasUsers) this.tokens.set(ADMIN, /API_TOKEN="([^"]+)"/.exec(said)?.[1] ?? '');
    for (const table of ['subscribers', 'lists']) {
      await this.sql(`DELETE FROM ${table}`);
      await this.sql(`ALTER SEQUENCE ${table}_id_seq RESTART`);
    }
    const smtp = {
      ...{ enabled: true, host: '127.0.0.1', port: this.parts.mailPort, auth_protocol: 'none' },
      ...{ tls_type: 'none', max_conns: 1, idle_timeout: '15s', wait_timeout: '5s', max_msg_retries: 0 },
      ...{ email_headers: [], hello_hostname: '', username: '', password: '', tls_skip_verify: true },
    };
    const settings = {
      'app.check_updates': false,
      'app.root_url': 'http://listmonk.example.com',
      smtp: [smtp],
    };
    for (const [key, value] of Object.entries(settings))
      await this.sql('UPDATE settings SET value = $2 WHERE key = $1', [key, JSON.stringify(value)]);
  }

  private async open(): Promise<void> {
    this.process = this.spawn([]);
    for (let tries = 0; tries < 100; tries++) {
      await pause(100);
      if (this.process.exitCode !== null) break;
      const health = await fetch(`${this.url}/health`).catch(() => null);
      if (health?.status === 200) return;
    }
    throw new Error('It did not start');
  }

  private async close(): Promise<void> {
    const { process } = this;
    this.process = null;
    if (process === null || process.exitCode !== null) return;
    process.kill('SIGKILL');
    await once(process, 'close');
  }

  private spawn(options: string[], env: Record<string, string> = {}): ChildProcess {
    return spawn(this.parts.program, ['--config', join(this.folder, 'config.toml'), ...options], {
      cwd: dirname(this.parts.program),
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  private async addUser(name: string, { permissions, lists }: User): Promise<void> {
    const user_role_id = await this.created('roles/users', { name, permissions });
    const ofLists = lists?.map((id) => ({ id, permissions: ['list:get', 'list:manage'] }));
    const list_role_id =
      ofLists === undefined ? null : await this.created('roles/lists', { name, lists: ofLists });
    const user = { username: name, name, type: 'api', status: 'enabled', user_role_id, list_role_id };
    await this.created('users', user);
  }

  /** @returns the id. */
  private async created(path: string, body: object): Promise<number> {
    const response = await fetch(`${this.url}/api/${path}`, {
      method: 'POST',
      headers: { authorization: this.authorization(ADMIN), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as {
      data?: { id: number; username?: string; password?: string };
      message?: string;
    };
    const { data } = answer;
    if (data === undefined) throw new Error(`${path}: ${response.status} ${answer.message ?? ''}`);
    if (data.username !== undefined) this.tokens.set(data.username, data.password ?? '');
    return data.id;
  }

  private async sql(statement: string, values: unknown[] = []): Promise<void> {
    const client = new Client({ connectionString: this.parts.database });
    await client.connect();
    await client.query(statement, values).finally(() => client.end());
  }
}

async function versionOf(program: string): Promise<string> {
  const asked = spawn(program, ['--version'], { cwd: dirname(program) });
  let said = '';
  asked.stdout.on('data', (piece: Buffer) => (said += piece.toString()));
  await once(asked, 'close');
  const [version] = /v\d+\.\d+\.\d+/.exec(said) ?? [];
  if (version === undefined) throw new Error(`It does not say its version: ${said}`);
  return version;
}
