import { defineConfig } from 'vite';

/** A test for the modules that a file imports, other than by `import()`. */
function importsOf(path) {
  let found = null;
  return (id, chunks) => {
    found ??= importedBy(new URL(path, import.meta.url).pathname, chunks);
    return found.has(id);
  };
}

const isOfFirstPage = importsOf('src/main.tsx');
const isOfSignIn = importsOf('src/pages/sign-in/sign-in-page.tsx');

function importedBy(id, chunks, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  for (const each of chunks.getModuleInfo(id)?.importedIds ?? []) importedBy(each, chunks, found);
  return found;
}

// JSX needs no plugin: Vite compiles it as tsconfig.json says. Paths are relative, because a proxy
// may serve the console under another path.
export default defineConfig({
  base: './',
  resolve: { alias: { fflate: new URL('src/shims/fflate.ts', import.meta.url).pathname } },
  worker: { format: 'es' },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // A data URL in a style sheet would violate the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // `'use client'` of libraries means nothing here.
    rolldownOptions: {
      output: {
        // A browser requests six files at a time, so each small one can cost a round trip.
        codeSplitting: {
          groups: [
            {
              debugName: 'index',
              name: (id, chunks) => (isOfFirstPage(id, chunks) ? 'index' : null),
              priority: 2,
            },
            // Without what other pages share, so that it costs no more than it shows.
            {
              debugName: 'sign-in',
              name: (id, chunks) => (isOfSignIn(id, chunks) ? 'sign-in' : null),
              priority: 1,
            },
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
      onLog: (level, log, next) => log.code === 'MODULE_LEVEL_DIRECTIVE' || next(level, log),
    },
    // Licences of the libraries stay in the files.
    license: { fileName: 'licenses.md' },
  },
  // `npx vite console` for development, with a service on port 3000.
  server: {
    proxy: Object.fromEntries(['/v1', '/readyz', '/metrics'].map((path) => [path, 'http://localhost:3000'])),
  },
});
