import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isOnMachine } from '../jest/machine.js';
import { selfSigned } from '../tls/self-signed.js';
import { freePort } from './free-port.js';

const read = (file: string) => readFile(join(import.meta.dirname, '../../../deploy', file), 'utf8');

/** Debian installs nginx outside the PATH of some users. */
const programOf = (argument: string, ...programs: string[]) =>
  programs.find((program) => spawnSync(program, [argument]).status === 0);
const NGINX = programOf('-v', 'nginx', '/usr/sbin/nginx');
const CADDY = programOf('version', 'caddy');

interface Started {
  program: string;
  args: string[];
  /** A line on standard error with this text: it listens. */
  listens: string;
}

/** Writes the file of `deploy/`, in which only addresses and paths are replaced, and what its program needs besides. */
type Prepare = (folder: string, places: { upstream: string; port: number }) => Promise<Started>;

async function nginx(folder: string, { upstream, port }: Parameters<Prepare>[1]): Promise<Started> {
  const { key, cert } = await selfSigned('localhost');
  await writeFile(join(folder, 'privkey.pem'), key);
  await writeFile(join(folder, 'fullchain.pem'), cert);
  const site = (await read('nginx/rcpt.conf'))
    .replace('127.0.0.1:3000', upstream)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('listen [::]:443', `listen 127.0.0.1:${await freePort()}`)
    .replaceAll('/etc/letsencrypt/live/verify.example.com', folder)
    .replace('/var/log/nginx', folder)
    .replace('verify.example.com', 'localhost');
  await writeFile(join(folder, 'site.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr notice;
events {}
http {
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  include ${folder}/site.conf;
}
`,
  );
  const args = ['-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  return { program: NGINX ?? '', args, listens: 'event method' };
}

async function caddy(folder: string, { upstream, port }: Parameters<Prepare>[1]): Promise<Started> {
  const site = (await read('caddy/Caddyfile'))
    .replace('127.0.0.1:3000', upstream)
    .replace('verify.example.com', `https://localhost:${port}`);
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${site}`);
  const args = ['run', '--adapter', 'caddyfile', '--config', file];
  return { program: CADDY ?? '', args, listens: 'serving initial configuration' };
}

/** A reverse proxy with its file of `deploy/`, on loopback. */
export class ReverseProxy {
  static readonly kinds = {
    nginx: { isThere: isOnMachine('nginx', NGINX !== undefined), prepare: nginx },
    Caddy: { isThere: isOnMachine('Caddy', CADDY !== undefined), prepare: caddy },
  };

  private constructor(
    private readonly port: number,
    private readonly child: ChildProcess,
    readonly folder: string,
  ) {}

  /** @param url of the service. */
  static async start(kind: keyof typeof ReverseProxy.kinds, url: string): Promise<ReverseProxy> {
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-proxy-'));
    const port = await freePort();
    const places = { upstream: `127.0.0.1:${new URL(url).port}`, port };
    const { program, args, listens } = await this.kinds[kind].prepare(folder, places);
    await mkdir(join(folder, 'home'));
    const env = { PATH: process.env.PATH ?? '', HOME: join(folder, 'home') };
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const said: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      said.push(line);
      if (line.includes(listens)) break;
    }
    child.stderr.resume();
    if (!said.at(-1)?.includes(listens)) throw new Error(said.join('\n'));
    return new ReverseProxy(port, child, folder);
  }

  /** @param from the client's address, one of 127.0.0.0/8. */
  open(path: string, options: RequestOptions, from = '127.0.0.1'): ClientRequest {
    const place = { host: '127.0.0.1', servername: 'localhost', port: this.port, localAddress: from };
    const headers = { Host: 'localhost', ...(options.headers as Record<string, string>) };
    return request({ ...place, rejectUnauthorized: false, agent: false, ...options, path, headers });
  }

  async post(path: string, body: string, headers: Record<string, string>, from?: string): Promise<Answer> {
    const sent = this.open(path, { method: 'POST', headers }, from);
    sent.end(body);
    return answerOf(sent);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL');
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    await rm(this.folder, { recursive: true });
  }
}

export interface Answer {
  status: number;
  body: string;
}

export async function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

export async function answerOf(sent: ClientRequest): Promise<Answer> {
  const response = await responseTo(sent);
  let body = '';
  for await (const piece of response) body += piece as string;
  return { status: response.statusCode ?? 0, body };
}
