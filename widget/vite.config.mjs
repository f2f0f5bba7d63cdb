import { defineConfig } from 'vite';

// One classic script: `document.currentScript` has the key, and a page needs no module loader. Pages of
// others are opened in older browsers than the console is.
export default defineConfig({
  build: {
    outDir: '../dist/widget',
    emptyOutDir: true,
    target: 'es2020',
    rolldownOptions: {
      input: new URL('src/main.ts', import.meta.url).pathname,
      output: { format: 'iife', entryFileNames: 'rcpt.[hash].js' },
    },
  },
});
