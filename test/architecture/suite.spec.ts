import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** This file quotes what it looks for. */
const SPEC = /(?<!architecture\/suite)\.spec\.ts$/;
const OF_RELEASE = /(?:\.release|-firefox)\.spec\.ts$/;
const IMPORT = /from '([^']+)'/g;
const SKIP = /\b(?:describe|it)\.skip\b/;
const NOTES = /\bisOnMachine\(/;

const read = (path: string) => readFile(join(root, path), 'utf8');

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true });
  return entries.map((path) => `${folder}/${path}`).filter((path) => path.endsWith('.ts'));
}

const importsOf = (text: string) => Array.from(text.matchAll(IMPORT), ([, path = '']) => path);

const sectionOf = (document: string) => document.split('\n## Two commands\n')[1]?.split('\n## ')[0] ?? '';

/** What is quoted in the one group of each match. */
const quotedIn = (text: string, lines: RegExp) =>
  [...text.matchAll(lines)].flatMap(([, quoted = '']) =>
    Array.from(quoted.matchAll(/`([^`]+)`/g), ([, mark = '']) => mark),
  );

/** The marks of the table: the beginning of the path of a spec, or the end of what it imports. */
const marksIn = (document: string) =>
  quotedIn(sectionOf(document), /^\| (?!What it tests|---)(?:.+?) \| (.+?) \|$/gm);

/** The ends of the paths of the specs that use a browser in `npm test`. */
const journeysIn = (document: string) =>
  quotedIn(sectionOf(document), /^- .+?: (`.+`)$/gm).map((name) => `/${name}.spec.ts`);

const has = (mark: string, path: string, imports: readonly string[]) =>
  /^(?:src|test)\//.test(mark) ? path.startsWith(mark) : imports.some((each) => each.endsWith(`/${mark}.js`));

describe('the two commands of the tests', () => {
  let marks: string[];
  let journeys: string[];
  let texts: Map<string, string>;
  let specs: string[];
  const isJourney = (path: string) => journeys.some((journey) => path.endsWith(journey));
  const markOf = (path: string) =>
    isJourney(path) ? undefined : marks.find((mark) => has(mark, path, importsOf(texts.get(path) ?? '')));

  beforeAll(async () => {
    const document = await read('docs/decisions/tests.md');
    marks = marksIn(document);
    journeys = journeysIn(document);
    const paths = [...(await filesIn('src')), ...(await filesIn('test'))];
    texts = new Map(
      await Promise.all(paths.map(async (path) => [path, await read(path)] as [string, string])),
    );
    specs = paths.filter((path) => SPEC.test(path));
  });

  it('divide the specs as docs/decisions/tests.md says', () => {
    expect(specs.length).toBeGreaterThan(500);
    expect(specs.filter((path) => markOf(path) !== undefined && !OF_RELEASE.test(path))).toEqual([]);
    expect(specs.filter((path) => markOf(path) === undefined && OF_RELEASE.test(path))).toEqual([]);
  });

  it('have about ten journeys in a browser, each of which exists', () => {
    expect(journeys.length).toBeGreaterThan(9);
    expect(journeys.length).toBeLessThan(13);
    expect(journeys.filter((journey) => !specs.some((path) => path.endsWith(journey)))).toEqual([]);
  });

  it('have a reason for each row of the table', () => {
    expect(marks.length).toBeGreaterThan(5);
    const isUsed = (mark: string) => specs.some((path) => has(mark, path, importsOf(texts.get(path) ?? '')));
    expect(marks.filter((mark) => !isUsed(mark))).toEqual([]);
  });

  it('divide the specs as package.json and the README say, and CI runs all', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const left = /--testPathIgnorePatterns '([^']+)'/.exec(scripts.test ?? '')?.[1] ?? '';
    expect(new RegExp(left).source).toBe(String.raw`(\.release|-firefox)\.spec\.ts$`);
    expect(scripts['test:release']).toContain("--testMatch '**/*.release.spec.ts' '**/*-firefox.spec.ts'");
    expect(await read('README.md')).toContain('npm ci && npm test\n');
    for (const file of ['.ci/run', '.github/workflows/ci.yml'])
      for (const command of ['npm run check', 'npm test', 'npm run test:release'])
        expect(await read(file)).toMatch(new RegExp(`^(?: +- run: )?${command}$`, 'm'));
  });

  it('repeat each property that they run a few times with npm run test:chaos', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    const [, names = ''] = /'\*\*\/\{([\w,-]+)\}\.spec\.ts'/.exec(scripts['test:chaos'] ?? '') ?? [];
    const isRepeated = (path: string) =>
      path.endsWith('.properties.spec.ts') ||
      names.split(',').some((name) => path.endsWith(`/${name}.spec.ts`));
    const runs = (path: string) =>
      importsOf(texts.get(path) ?? '').some((each) => each.endsWith('/property-runs.js'));
    const repeated = specs.filter(isRepeated);
    expect(repeated).toEqual(specs.filter(runs));
    expect(repeated.length).toBeGreaterThan(5);
  });

  it('leave out nothing in silence: each test that a machine cannot run is noted', () => {
    const noting = [...texts]
      .filter(([path, text]) => path.startsWith('test/support/') && NOTES.test(text))
      .map(([path]) => path.replace(/^test\//, '').replace(/ts$/, 'js'));
    expect(noting.length).toBeGreaterThan(5);
    const isNoted = (text: string) =>
      NOTES.test(text) || importsOf(text).some((each) => noting.some((path) => each.endsWith(`/${path}`)));
    const skipping = [...texts].filter(([path, text]) => SPEC.test(path) && SKIP.test(text));
    expect(skipping.length).toBeGreaterThan(10);
    expect(skipping.filter(([, text]) => !isNoted(text)).map(([path]) => path)).toEqual([]);
  });
});
