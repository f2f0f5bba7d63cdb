import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BENCH = join(import.meta.dirname, '../../bench');
const IMPORT = /import \{([^}]+)\} from '[./]+\/dist\/([^']+)'/g;

interface BuiltModule {
  file: string;
  module: string;
  names: string[];
}

/** What benchmarks in JavaScript, which the compiler does not check, import from the build. */
function imports(): BuiltModule[] {
  const files = readdirSync(BENCH, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.mjs') && !file.includes('node_modules'))
    .flatMap((file) =>
      [...readFileSync(join(BENCH, file), 'utf8').matchAll(IMPORT)].map(([, names = '', module = '']) => ({
        file,
        module,
        names: names.split(',').map((name) => name.trim()),
      })),
    );
}

describe('a benchmark in JavaScript', () => {
  it.each(imports())('imports from the build what is there: $file, $module', async ({ module, names }) => {
    const exported = Object.keys((await import(join('../../src', module))) as object);
    expect(exported).toEqual(expect.arrayContaining(names));
  });
});
