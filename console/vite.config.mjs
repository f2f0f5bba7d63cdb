import { defineConfig } from 'vite';

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
