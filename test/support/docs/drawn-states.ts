import { expect } from '@jest/globals';
import { readFile } from 'node:fs/promises';

const PAGE = new URL('../../../docs/states.md', import.meta.url);

/** `a --> b` of each arrow of the diagram below the heading; with labels `a --> b: label`. */
export async function drawn(heading: string, labels = false): Promise<string[]> {
  const [, section = ''] = (await readFile(PAGE, 'utf8')).split(`## ${heading}\n`);
  const [, diagram = ''] = /```mermaid\nstateDiagram-v2\n([^]*?)```/.exec(section) ?? [];
  return [...diagram.matchAll(/^ +(\S+ --> [^\s:]+)(.*)$/gm)].map(
    ([, arrow = '', label = '']) => arrow + (labels ? label : ''),
  );
}

export async function expectDrawn(heading: string, seen: readonly string[]): Promise<void> {
  expect(seen.toSorted()).toEqual((await drawn(heading)).sort());
}
