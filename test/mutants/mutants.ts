import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';

/** A planted fault: one text of one file is replaced, and a test must fail. */
export interface Mutant {
  /** The name of its file: what kind of fault it is. */
  kind: string;
  /** What goes wrong, as a sentence. */
  fault: string;
  /** The end of a path, so that a file can move. */
  file: string;
  find: string;
  replace: string;
  /** The end of the path of the spec that must fail. */
  spec: string;
  /** A part of the name of a test that must fail. */
  test: string;
}

/** Files that a fault is planted in, and specs. */
const SOURCES = /^(?:src|clients|widget|test)\/.*\.ts$|^console\/.*\.(?:tsx?|css)$/;

export function readMutants(): Mutant[] {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.yaml'));
  return names.flatMap((name) => {
    const mutants = parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as Omit<Mutant, 'kind'>[];
    return mutants.map((mutant) => ({ kind: basename(name, '.yaml'), ...mutant }));
  });
}

/** The paths of all files below a folder, relative to it. */
export function sourcesOf(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && SOURCES.test(`${entry.name}/x.ts`))
    .flatMap(({ name }) =>
      readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((path) => `${name}/${path}`),
    )
    .filter((path) => SOURCES.test(path) && !path.includes('/node_modules/'));
}

/** @throws Error unless exactly one file is meant. */
function pathOf(end: string, paths: readonly string[]): string {
  const [path, ...others] = paths.filter((each) => each === end || each.endsWith(`/${end}`));
  if (path === undefined || others.length > 0)
    throw new Error(`${end} is the end of ${path === undefined ? 'no path' : 'several paths'}`);
  return path;
}

/** Where a fault is planted. @throws Error when its text is not there exactly once, or its test is not there. */
export function locate(
  mutant: Mutant,
  root: string,
  paths: readonly string[],
): { file: string; spec: string; text: string } {
  const file = pathOf(mutant.file, paths);
  const spec = pathOf(mutant.spec, paths);
  const before = readFileSync(join(root, file), 'utf8');
  const pieces = before.split(mutant.find);
  if (pieces.length !== 2) throw new Error(`${file} has the text ${pieces.length - 1} times: ${mutant.find}`);
  const text = pieces.join(mutant.replace);
  if (text === before) throw new Error(`The text is replaced by itself: ${mutant.find}`);
  if (!readFileSync(join(root, spec), 'utf8').includes(mutant.test))
    throw new Error(`${spec} has no test "${mutant.test}"`);
  return { file, spec, text };
}
