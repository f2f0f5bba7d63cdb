// Makes @nestjs/swagger and the files of Swagger UI that the service serves a part of the build. As a dependency it
// would bring swagger-ui-dist (12 MB), whose @scarf/scarf reports each installation, and the `overrides` of
// package.json do not apply to those who install this package.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'vite';
import { licencesOf, packagesIn } from './licences.js';

const NAME = '@nestjs/swagger';
const READER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE'];
const dist = join(import.meta.dirname, '../dist');
const vendor = join(dist, 'vendor');
const { resolve } = createRequire(import.meta.url);
const { dependencies } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'));

const { output } = await build({
  configFile: false,
  logLevel: 'warn',
  build: { ssr: true, outDir: vendor, minify: false, rollupOptions: { input: { swagger: resolve(NAME) } } },
  // All but the dependencies of this package, which stay imports. Only an application with Fastify loads that one.
  ssr: { noExternal: true, external: [...Object.keys(dependencies), '@fastify/static'] },
});
writeFileSync(join(vendor, 'LICENCES'), licencesOf(packagesIn(output)));

for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const path = join(dist, file);
  if (!file.endsWith('.js') || path.startsWith(vendor)) continue;
  const code = readFileSync(path, 'utf8');
  const target = relative(dirname(path), join(vendor, 'swagger.js')).replaceAll(sep, '/');
  const linked = code.replaceAll(
    `from '${NAME}'`,
    `from '${target.startsWith('.') ? target : `./${target}`}'`,
  );
  if (linked !== code) writeFileSync(path, linked);
}

mkdirSync(join(vendor, 'swagger-ui'));
for (const file of READER_FILES)
  copyFileSync(resolve(`swagger-ui-dist/${file}`), join(vendor, 'swagger-ui', file));
