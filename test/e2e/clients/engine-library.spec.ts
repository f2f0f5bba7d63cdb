import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ClientRun } from '../../support/clients/client-runs.js';
import { readmePrograms } from '../../support/clients/readme-programs.js';
import { projectErrors } from '../../support/clients/typed-client.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const root = join(import.meta.dirname, '../../..');
const INSTALL_MS = 60_000;

/** The package as a user installs it, with the installed dependencies of this repository. */
let project: string;
let packed: string[];
let world: MailWorld;

beforeAll(async () => {
  world = await MailWorld.start();
  project = await mkdtemp(join(tmpdir(), 'rcpt-library-'));
  await writeFile(join(project, 'package.json'), '{"type":"module","private":true}');
  await new ClientRun(['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', project], {
    cwd: root,
  }).lines();
  const [tarball = ''] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  const installed = join(project, 'node_modules/@rcpt/server');
  await mkdir(installed, { recursive: true });
  const unpacked = spawnSync('tar', [
    '-xzf',
    join(project, tarball),
    '-C',
    installed,
    '--strip-components=1',
  ]);
  expect(unpacked.status).toBe(0);
  packed = await readdir(installed, { recursive: true });
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    const link = join(project, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link);
  }
}, INSTALL_MS);
afterAll(async () => {
  await rm(project, { recursive: true });
  await world.stop();
});

describe('the package', () => {
  it('has the build, types, licence and README, and no sources', () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'bin/rcpt.js',
        'dist/main.js',
        'dist/engine/library/create-engine.js',
        'dist/engine/library/create-engine.d.ts',
      ]),
    );
    expect(packed.filter((path) => /(^|\/)(src|test|bench)(\/|$)|\.spec\.|(?<!\.d)\.ts$/.test(path))).toEqual(
      [],
    );
  });

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
      .replace("{ smtpHeloName: 'verify.example.org' }", JSON.stringify(options))
      .replace('jane@example.com', 'jane@plain.mailworld')
      .replace('joe@example.com', 'ghost@plain.mailworld');
    await writeFile(join(project, 'example.js'), here);
    const coverage = join(project, 'coverage');
    const lines = await new ClientRun([process.execPath, 'example.js'], {
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
      /node_modules\/(@nestjs|typeorm|pg|pg-[a-z-]+|ioredis|bullmq|express|stripe|prom-client|class-validator|class-transformer|reflect-metadata)\/|\/dist\/modules\//;
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
    await writeFile(join(project, 'typed.ts'), program.join('\n'));
    const compilerOptions = {
      noEmit: true,
      strict: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    expect(projectErrors(project)).toEqual([]);
  });
});
