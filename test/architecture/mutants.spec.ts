import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { locate, readMutants, sourcesOf } from '../mutants/mutants.js';

const root = join(import.meta.dirname, '../..');
const mutants = readMutants();

describe('the planted faults', () => {
  it('are of several kinds, each with a sentence of its own', () => {
    expect(mutants.length).toBeGreaterThanOrEqual(30);
    expect(new Set(mutants.map(({ fault }) => fault)).size).toBe(mutants.length);
    expect(new Set(mutants.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(8);
  });

  it('can be planted: their text is in one file, once, and the test that must fail is there', () => {
    const paths = sourcesOf(root);
    const lost = mutants.flatMap((mutant) => {
      try {
        locate(mutant, root, paths);
        return [];
      } catch (error) {
        return [`${mutant.kind}: ${mutant.fault}: ${(error as Error).message}`];
      }
    });
    expect(lost).toEqual([]);
  });

  it('are lost when their text is not there, is there several times, or their test is gone', () => {
    const paths = sourcesOf(root);
    const [first] = mutants;
    const locating = (changes: object) => () => locate({ ...first!, ...changes }, root, paths);
    expect(locating({})).not.toThrow();
    expect(locating({ find: 'a text that no file has' })).toThrow('has the text 0 times');
    expect(locating({ find: 'const ' })).toThrow(/has the text \d+ times/);
    expect(locating({ replace: first?.find })).toThrow('replaced by itself');
    expect(locating({ file: 'no-such-file.ts' })).toThrow('no path');
    expect(locating({ file: '.ts' })).toThrow('no path');
    expect(locating({ spec: 'no-such.spec.ts' })).toThrow('no path');
    expect(locating({ test: 'a name that no test has' })).toThrow('has no test');
  });
});
