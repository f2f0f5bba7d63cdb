// npm run pack:engine [-- FOLDER]: writes rcpt-engine-VERSION.tgz there, by default here, and prints its path.
// One bundle instead of 150 files, which take as long to import as the whole service; lru-cache and tldts alone
// are 6 MB as packages. The lists of disposable domains stay packages: the engine requires them when it needs them.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { build } from 'vite';
import { licencesOf, packagesIn } from './licences.js';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const library = join(root, 'src/engine/library');
const TYPES = join(dist, 'engine/library/create-engine.d.ts');
const ENTRIES = {
  index: join(dist, 'engine/library/create-engine.js'),
  'rcpt-verify': join(dist, 'rcpt-verify.js'),
};
const service = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const destination = resolve(process.argv[2] ?? '.');

const folder = mkdtempSync(join(tmpdir(), 'rcpt-engine-'));
try {
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // What users see in a stack are the names of the source.
    build: {
      ssr: true,
      target: 'node20',
      minify: false,
      outDir: join(folder, 'dist'),
      emptyOutDir: true,
      rolldownOptions: {
        input: ENTRIES,
        output: {
          chunkFileNames: '[name].js',
          codeSplitting: { groups: [{ name: 'engine', test: /dist.engine.(?!providers.adapters)/ }] },
        },
      },
    },
    ssr: { noExternal: true },
  });
  const bundled = packagesIn(output);
  writeFileSync(join(folder, 'LICENCES'), licencesOf(bundled));
  copyTypes(TYPES);
  for (const file of ['README.md', 'examples'])
    cpSync(join(library, file), join(folder, file), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = manifestWith(packagesOutside(output, bundled));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const packing = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination];
  const file = execFileSync('npm', packing, { cwd: folder, encoding: 'utf8' }).trim();
  process.stdout.write(`${join(destination, file)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** The packages that the files of the engine import or require, without those in the bundle. */
function packagesOutside(output, bundled) {
  const files = output.flatMap(({ moduleIds = [] }) => moduleIds.filter((id) => id.startsWith(dist)));
  const imported = files.flatMap(
    (file) => ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles,
  );
  const names = imported
    .map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)[0]);
  return [...new Set(names)].filter((name) => !bundled.includes(join(root, 'node_modules', name))).sort();
}

/** With the versions that the service has. */
function manifestWith(packages) {
  const dependencies = packages.map((name) => {
    const version = service.dependencies[name];
    if (version === undefined) throw new Error(`The engine imports ${name}, which is no dependency`);
    return [name, version];
  });
  const { version, license, bugs, repository, publishConfig, engines } = service;
  return {
    name: '@rcpt/engine',
    version,
    description:
      'Email-address verification as a function: will mail to this address arrive, and how do we know',
    keywords: service.keywords,
    license,
    homepage: 'https://github.com/rcpt/rcpt/blob/main/docs/library.md',
    bugs,
    repository,
    publishConfig: { ...publishConfig, provenance: true },
    type: 'module',
    engines,
    sideEffects: false,
    bin: { 'rcpt-verify': 'dist/rcpt-verify.js' },
    exports: {
      '.': { types: './types/engine/library/create-engine.d.ts', default: './dist/index.js' },
      './package.json': './package.json',
    },
    files: ['dist', 'types', 'examples', 'LICENCES'],
    dependencies: Object.fromEntries(dependencies),
  };
}

/** A file of types and those that it imports, in the same folders. */
function copyTypes(path, copied = new Set()) {
  if (copied.has(path)) return;
  copied.add(path);
  const target = join(folder, 'types', path.slice(dist.length));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(path, target);
  for (const { fileName } of ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles)
    copyTypes(join(dirname(path), fileName.replace(/\.js$/, '.d.ts')), copied);
}
