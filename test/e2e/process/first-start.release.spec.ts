import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientRun } from '../../support/clients/client-runs.js';
import { isOnMachine } from '../../support/jest/machine.js';
import { freePort } from '../../support/processes/free-port.js';
import { RcptProcess } from '../../support/processes/rcpt-process.js';

describe('a first start', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rcpt-first-start-'));
    // The log says where the database is, if the account of PostgreSQL cannot enter the folder.
    await chmod(folder, 0o755);
  });
  afterAll(async () => {
    await RcptProcess.endAll();
    await rm(folder, { recursive: true, force: true });
  });

  it('whose port is in use says so and makes nothing, so that the next one shows the first keys', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const env = { DATA_DIR: join(folder, 'data') };
    const refused = RcptProcess.run(['../bin/rcpt.js', 'start', '--port', String(port)], env);
    expect([await refused.exit(), refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toBe(
      `Rcpt cannot start:\n  Port ${port} on 127.0.0.1 is already in use. Set PORT to a free port.\n`,
    );
    const metrics = RcptProcess.run(['main.js'], { ...env, PORT: '0', METRICS_PORT: String(port) });
    expect([await metrics.exit(), metrics.stdout, metrics.stderr]).toEqual([
      1,
      '',
      `Rcpt cannot start:\n  Port ${port} on 127.0.0.1 is already in use. Set METRICS_PORT to a free port.\n`,
    ]);
    expect(await readdir(folder)).toEqual([]);
    other.close();
    await once(other, 'close');
    const started = RcptProcess.run(['../bin/rcpt.js', 'start', '--port', String(port)], env);
    expect(await started.ready()).toBe(`http://localhost:${port}`);
    expect(started.stdout).toContain('"first_keys":');
    await started.end();
    const next = RcptProcess.run(['../bin/rcpt.js', 'start', '--port', String(port)], env);
    await next.ready();
    const ready = next.stdout.split('\n').find((line) => line.includes('"event":"ready"')) ?? '';
    expect(ready).not.toContain('"first_keys":');
    expect(JSON.parse(ready)).toMatchObject({ hint: expect.stringContaining('No key has been used yet.') });
    await next.end();
  }, 120_000);

  const terminal = isOnMachine('script', spawnSync('script', ['--version']).error === undefined);
  (terminal ? it : it.skip)('on a terminal speaks in sentences, and ends with one at Ctrl-C', async () => {
    const env = { DATA_DIR: join(folder, 'terminal'), PORT: '0' };
    const program = RcptProcess.onTerminal('exec node bin/rcpt.js start', env);
    const url = await program.ready();
    await program.until(() => program.stdout.includes('rcpt doctor'));
    const lines = program.stdout.split('\r\n');
    expect(lines.slice(0, 3)).toEqual([
      `Rcpt is ready on ${url} (console: ${url}/console, documentation: ${url}/docs)`,
      '',
      'This is the first start. These keys are shown only once:',
    ]);
    const before = program.stdout.length;
    await (await fetch(`${url}/v1/me`)).text();
    await program.until(() => program.stdout.includes('/v1/me: 401'));
    program.child.stdin?.write('\u0003');
    expect(await program.exit()).toBe(0);
    expect(program.stdout.slice(before).split('\r\n')).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d GET \/v1\/me: 401 in [\d.]+ ms \(request_id: [\w-]+\)$/),
      '^C',
      'Rcpt ends when its requests and jobs have ended, in 25 seconds at most. Ctrl-C ends it at once.',
      '',
    ]);
  });

  (terminal ? it : it.skip)(
    'on a terminal writes JSON with LOG_FORMAT=json, and text elsewhere with text',
    async () => {
      const env = { DATA_DIR: join(folder, 'formats'), PORT: '0' };
      const json = RcptProcess.onTerminal('exec node bin/rcpt.js start', { ...env, LOG_FORMAT: 'json' });
      await json.ready();
      await json.until(() => json.stdout.includes('"event":"ready"'));
      json.child.stdin?.write('\u0003');
      expect(await json.exit()).toBe(0);
      const lines = json.stdout.replace('^C', '').trim().split('\r\n');
      const [ready, draining, ended] = ['ready', 'draining', 'ended'].map((msg) =>
        expect.objectContaining({ msg }),
      );
      const greeting = expect.objectContaining({ event: 'ready', first_keys: expect.anything() });
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([ready, greeting, draining, ended]);
      const text = RcptProcess.run(['../bin/rcpt.js', 'start'], { ...env, LOG_FORMAT: 'text' });
      await text.ready();
      expect(await text.end()).toBe(0);
      expect(text.stdout).toMatch(/^Rcpt is ready on .*\nNo key has been used yet\..*\nRcpt ends when .*\n$/);
    },
  );

  it('takes --host instead of HOST, and refuses an address of another machine', async () => {
    const args = ['../bin/rcpt.js', 'start', '--host', '192.0.2.1', '--port', String(await freePort())];
    const refused = RcptProcess.run(args, { DATA_DIR: join(folder, 'none'), HOST: '127.0.0.1' });
    expect(await refused.exit()).toBe(78);
    expect(refused.stderr).toContain('HOST is 192.0.2.1, which is no address of this machine');
    expect(await readdir(folder)).not.toContain('none');
  });

  it('on an old Node says which version is needed', async () => {
    const old = join(folder, 'old.mjs');
    await writeFile(
      old,
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });",
    );
    const rcpt = join(import.meta.dirname, '../../../bin/rcpt.js');
    const run = new ClientRun([process.execPath, '--import', old, rcpt, '--version'], { cwd: folder });
    expect(await run.result()).toEqual({
      code: 70,
      out: '',
      err: expect.stringMatching(/^rcpt: needs Node 20\.19 or later, and this is Node 18\.20\.4; /),
    });
  });
});
