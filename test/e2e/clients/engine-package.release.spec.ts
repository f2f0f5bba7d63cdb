import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRequire, isBuiltin } from 'node:module';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { InstalledEngine, type EngineManifest } from '../../support/clients/installed-engine.js';
import { readmePrograms } from '../../support/clients/readme-programs.js';
import { projectErrors } from '../../support/clients/typed-client.js';
import { MailWorld } from '../../support/mail/mail-world.js';

const root = join(import.meta.dirname, '../../..');
const dist = join(root, 'dist');
const ENTRIES = ['engine/library/create-engine.js', 'rcpt-verify.js'].map((file) => join(dist, file));
const MAX_PACKAGES = 12;
const MAX_BYTES = 6_000_000;
const service = createRequire(import.meta.url)('../../../package.json') as EngineManifest;

const installed = await InstalledEngine.install();
let world: MailWorld;
beforeAll(async () => {
  world = await MailWorld.start();
});
afterAll(async () => {
  await world.stop();
  await installed.remove();
});

const importsOf = (code: string) =>
  ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);
const packageOf = (name: string) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;

/** The packages that the build of these files imports or requires. */
async function packagesFrom(files: readonly string[]): Promise<Set<string>> {
  const read = new Set(files);
  const packages = new Set<string>();
  for (const file of read)
    for (const name of importsOf(await readFile(file, 'utf8')))
      if (name.startsWith('.')) read.add(join(dirname(file), name));
      else if (!isBuiltin(name)) packages.add(packageOf(name));
  return packages;
}

describe('@rcpt/engine, installed in an empty project', () => {
  it('is at most 12 packages and 6 MB, without install scripts', async () => {
    const manifests = await installed.manifests();
    expect(manifests.length).toBeGreaterThan(1);
    expect(manifests.length).toBeLessThanOrEqual(MAX_PACKAGES);
    expect([...installed.sizes.values()].reduce((sum, size) => sum + size)).toBeLessThan(MAX_BYTES);
    const scripted = manifests.filter(({ scripts = {} }) =>
      ['preinstall', 'install', 'postinstall'].some((name) => name in scripts),
    );
    expect(scripted).toEqual([]);
  });

  it('can be published beside the service, with the same version and provenance', () => {
    expect(installed.manifest).toMatchObject({
      name: '@rcpt/engine',
      version: service.version,
      license: 'Apache-2.0',
      publishConfig: { access: 'public', provenance: true },
      repository: { url: 'git+https://github.com/rcpt/rcpt.git' },
    });
  });

  it('depends on what its files import, and is not in the bundle, with the versions of the service', async () => {
    const imported = await packagesFrom(ENTRIES);
    expect(imported).toContain('tldts');
    const licences = (await installed.read('LICENCES')).split('\n');
    const bundled = [...imported].filter((name) => licences.includes(name));
    const others = [...imported].filter((name) => !bundled.includes(name)).sort();
    expect(installed.manifest.dependencies).toEqual(
      Object.fromEntries(others.map((name) => [name, service.dependencies[name]])),
    );
    expect(others).toEqual(['disposable-email-domains-js', 'mailchecker']);
  });

  it('imports nothing else in its bundle', async () => {
    const files = [...installed.sizes.keys()].filter((path) => path.startsWith('@rcpt/engine/dist/'));
    const codes = await Promise.all(files.map((path) => installed.read(path.slice('@rcpt/engine/'.length))));
    const foreign = codes.flatMap(importsOf).filter((name) => !name.startsWith('.') && !isBuiltin(name));
    expect(foreign).toEqual([]);
  });

  it('takes at most two thirds of the processor time of the full package to import', async () => {
    // A ratio of one machine: how long an import takes there says nothing about the package.
    const least = async (name: string) => {
      const code = `const before = process.cpuUsage(); await import(${JSON.stringify(name)});
        const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);`;
      const file = await installed.program('import.mjs', code);
      const times: number[] = [];
      for (let n = 0; n < 3; n += 1) times.push(Number((await installed.run([file]).lines())[0]));
      return Math.min(...times);
    };
    const full = await least(join(dist, 'engine/library/create-engine.js'));
    expect(await least('@rcpt/engine')).toBeLessThan((full * 2) / 3);
  });

  it('runs the first program of its README', async () => {
    const [, program = ''] = /```js\n(.*?)```/s.exec(await installed.read('README.md')) ?? [];
    const here = program
      .replace('{ smtp', `{ ...${JSON.stringify(optionsOf(world))}, smtp`)
      .replace('jane@example.com', 'jane@plain.mailworld');
    const file = await installed.program('readme.mjs', here);
    expect(await installed.run([file]).lines()).toEqual(['deliverable accepted_email']);
  });

  it('runs the program of docs/library.md', async () => {
    const [program = ''] = (await readmePrograms('docs/library.md', 'js')).values();
    const here = program
      .replace('{ smtp', `{ ...${JSON.stringify(optionsOf(world))}, smtp`)
      .replace('jane@example.com', 'jane@plain.mailworld')
      .replace('joe@example.com', 'ghost@plain.mailworld');
    const file = await installed.program('library.mjs', here);
    expect((await installed.run([file]).lines()).sort()).toEqual([
      'deliverable accepted_email',
      'ghost@plain.mailworld undeliverable mailbox_not_found',
      'mailbox_not_found',
      'no address undeliverable invalid_syntax',
    ]);
  });

  it('can be required by CommonJS', async () => {
    const code = `const { createEngine } = require('@rcpt/engine'); console.log(typeof createEngine().verify);`;
    const file = await installed.program('required.cjs', code);
    expect(await installed.run([file]).result()).toEqual({ code: 0, out: 'function\n', err: '' });
  });

  it('has types, without those of Node', async () => {
    const program = [
      "import { createEngine, type Verdict } from '@rcpt/engine';",
      'const engine = createEngine({ dnsServers: [], smtpPort: 25 });',
      "export const verdict: Verdict = await engine.verify('a@example.com', { timeoutMs: 1 });",
      'export const category: string | undefined = engine.explain("550 no")?.category;',
      '// @ts-expect-error: not an option',
      "createEngine({ databaseUrl: '' });",
      '// @ts-expect-error: a number',
      "await engine.verify('a@example.com', { timeoutMs: '1' });",
    ];
    await installed.program('typed.mts', program.join('\n'));
    const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2023', types: [] };
    await installed.program('tsconfig.json', JSON.stringify({ compilerOptions, files: ['typed.mts'] }));
    expect(projectErrors(installed.project)).toEqual([]);
  });
});

describe('rcpt-verify', () => {
  const rcptVerify = (args: readonly string[], env: Record<string, string> = world.env) =>
    installed.run([join(installed.project, 'node_modules/.bin/rcpt-verify'), ...args], env).result();

  it.each([
    ['jane@plain.mailworld', 0, 'deliverable (accepted_email)'],
    ['ghost@plain.mailworld', 1, 'undeliverable (mailbox_not_found)'],
    ['jane@mailinator.com', 2, 'risky (disposable)'],
    ['no address', 1, 'undeliverable (invalid_syntax)'],
  ])('says of %s what `rcpt verify` says, and exits with %i', async (email, code, words) => {
    const { code: exit, out, err } = await rcptVerify([email]);
    expect([exit, err]).toEqual([code, '']);
    expect(out).toContain(`${email}: ${words}, score `);
    const same = await installed.run([join(root, 'bin/rcpt.js'), 'verify', email], world.env).result();
    const untimed = (text: string) => text.replace(/duration +\d+ ms/, '');
    expect([same.code, untimed(same.out)]).toEqual([code, untimed(out)]);
  });

  it('prints the members of the API with --json', async () => {
    const { code, out } = await rcptVerify(['jane@plain.mailworld', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      normalized_email: 'jane@plain.mailworld',
      status: 'deliverable',
      dns: { mx_found: true },
      smtp: { code: 250, egress: 'direct' },
      outcome: null,
    });
  });

  it.each<[string, readonly string[], Record<string, string>, number, RegExp]>([
    ['without an address', [], {}, 64, /^error: missing required argument 'email'\n$/],
    ['with two', ['a@example.com', 'b@example.com'], {}, 64, /^error: too many arguments/],
    ['with another option', ['a@example.com', '--refresh'], {}, 64, /^error: unknown option '--refresh'/],
    [
      'with a variable that is wrong',
      ['a@example.com'],
      { SMTP_PORT: 'x' },
      78,
      /^rcpt-verify: SMTP_PORT must be a whole number\n$/,
    ],
    [
      'with a file of providers that is wrong',
      ['a@example.com'],
      { PROVIDERS_FILE: 'package.json' },
      78,
      /^rcpt-verify: PROVIDERS_FILE .*private must be an object/,
    ],
  ])('%s exits with a code of rcpt and a sentence', async (_, args, env, code, sentence) => {
    expect(await rcptVerify(args, env)).toEqual({ code, out: '', err: expect.stringMatching(sentence) });
  });

  it('does not read the variables of the program that uses the engine', async () => {
    const env = { NODE_ENV: 'production', DATABASE_URL: 'mysql://a', PORT: 'x', OIDC_ROLE: 'all' };
    expect((await rcptVerify(['jane@plain.mailworld'], { ...world.env, ...env })).code).toBe(0);
  });

  it('prints its version', async () => {
    expect(await rcptVerify(['--version'])).toEqual({ code: 0, out: `${service.version}\n`, err: '' });
  });
});

function optionsOf({ dns, smtp }: MailWorld) {
  return { dnsServers: [dns.server], smtpPort: smtp.port, mxAllowCidrs: ['127.0.0.0/8'] };
}
