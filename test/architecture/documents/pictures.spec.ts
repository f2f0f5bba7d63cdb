import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CONSOLE_PAGES } from '../../support/browser/console-pages.js';

const root = join(import.meta.dirname, '../../..');
const MAX_BYTES = 1_500_000;

it('the document about the console shows each page at both widths, and every picture of the repository', async () => {
  const page = await readFile(join(root, 'docs/console.md'), 'utf8');
  const shown = [...page.matchAll(/src="pictures\/([\w-]+\.webp)"/g)].map(([, name]) => name);
  const expected = ['sign-in', ...Object.keys(CONSOLE_PAGES)].flatMap((name) => [
    `${name}-1440-light.webp`,
    `${name}-390-dark.webp`,
  ]);
  expect(shown.toSorted()).toEqual(expected.toSorted());
  const kept = execFileSync('git', ['ls-files', 'docs/pictures'], { cwd: root, encoding: 'utf8' });
  expect(kept.trim().split('\n').toSorted()).toEqual(
    expected.map((name) => `docs/pictures/${name}`).toSorted(),
  );
  const sizes = await Promise.all(
    shown.map(async (name) => (await stat(join(root, 'docs/pictures', name!))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});
