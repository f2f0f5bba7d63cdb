import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const GLOBALS = new URL('./globals.mjs', import.meta.url).href;
const TYPESCRIPT = /\.ts(?:\?.*)?$/;

export async function resolve(specifier, context, next) {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  // TypeScript names the compiled file in an import.
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && TYPESCRIPT.test(context.parentURL))
    return next(specifier.replace(/js$/, 'ts'), context).catch(() => next(specifier, context));
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!TYPESCRIPT.test(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const options = { filename, sourceMaps: 'inline', inlineSourcesContent: false };
  const { code } = await transform(await readFile(filename, 'utf8'), options);
  return { format: 'module', source: code, shortCircuit: true };
}
