import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const FOLDERS = ['src', 'test', 'bench', 'console', 'widget/src', 'clients', 'scripts', 'bin'];
/** This file names what does not exist. */
const NOT_SOURCE = /\/node_modules\/|documents\.spec\.ts$/;
const SOURCE = /\.(?:tsx?|m?js|cjs|py|json|txt)$/;
/** Pages about the source. Other pages name files of the reader. */
const PAGES = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/states.md', 'docs/accuracy.md'];
const DECISIONS = 'docs/decisions';

/** `x` is any module, and `thing.role.ts` any file. */
const PLACEHOLDER = /(?:^|\/)x[./-]|^thing\.role\.ts$/;
/** Of Jest and NestJS. */
const OTHERS: readonly string[] = ['setSystemTime', 'forwardRef'];

const FILE = /^[\w./-]+\.(?:tsx?|mjs|cjs)(?:#\w+)?$/;
/** Such as `judge` of `BulkService`: with a lower-case letter before one in upper case. */
const NAME = /^[A-Za-z]*[a-z][A-Z]\w*(?:\(\))?$/;

/** What is quoted outside of code blocks. */
const quotedIn = (text: string) =>
  [...text.replace(/^```[^]*?^```/gm, '').matchAll(/`([^`\s]+)`/g)].map(([, quoted = '']) => quoted);

/** The parts of a file's path from any folder on: `a/b/c.ts`, `b/c.ts` and `c.ts`. */
const endsOf = (path: string) => path.split('/').map((_, n, parts) => parts.slice(n).join('/'));

/** `path → its text` of the source. */
async function source(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const folder of FOLDERS)
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && SOURCE.test(entry.name) && !NOT_SOURCE.test(path))
        files.set(path.slice(root.length + 1), await readFile(path, 'utf8'));
    }
  return files;
}

/** What is quoted and does not exist. */
function missingIn(text: string, files: ReadonlyMap<string, string>, words: ReadonlySet<string>): string[] {
  const byEnd = new Map(
    [...files].flatMap(([path, code]) => endsOf(path).map((end) => [end, code] as const)),
  );
  return quotedIn(text).filter((quoted) => {
    if (PLACEHOLDER.test(quoted)) return false;
    if (FILE.test(quoted)) {
      const [path = '', name = ''] = quoted.split('#');
      return !byEnd.get(path)?.includes(name);
    }
    const name = quoted.replace('()', '');
    return NAME.test(quoted) && !words.has(name) && !OTHERS.includes(name);
  });
}

describe('the documents about the source', () => {
  let files: Map<string, string>;
  let words: Set<string>;
  beforeAll(async () => {
    files = await source();
    words = new Set([...files.values()].flatMap((code) => code.match(/\w+/g) ?? []));
  });

  it('name only files, functions and classes that exist', async () => {
    const decisions = (await readdir(join(root, DECISIONS))).map((name) => `${DECISIONS}/${name}`);
    const missing: string[] = [];
    for (const page of [...PAGES, ...decisions]) {
      const text = await readFile(join(root, page), 'utf8');
      missing.push(...missingIn(text, files, words).map((name) => `${page}: ${name}`));
    }
    expect(missing).toEqual([]);
  });

  it('may name a file by the end of its path, and a function in it', () => {
    const text = [
      '`engine/judge.ts`, `judge.ts#judgeNothing`, `platform/judge.ts`, `ListWindows`, `ListDoors`, `x.service.ts`',
      '```ts\n`inABlock.ts`\n```\n`listWindows.run()`, `openDoors()`',
    ].join('\n');
    expect(missingIn(text, files, words)).toEqual([
      'judge.ts#judgeNothing',
      'platform/judge.ts',
      'ListDoors',
      'openDoors()',
    ]);
  });
});
