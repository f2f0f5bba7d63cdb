import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { AsyncContext } from './async-context.js';

/** Symbols of the hooks that are in use; those of the test runner are among them. */
const hooksInUse = () => Object.getOwnPropertySymbols(new Promise(() => undefined)).length;

describe('an asynchronous context', () => {
  it('has the value of its own call, also while others begin and end', async () => {
    const context = new AsyncContext<string>();
    const seen = async (name: string, turns: number) => {
      for (let turn = 0; turn < turns; turn++) {
        await setImmediate();
        expect(context.value).toBe(name);
      }
      return context.run(`inside ${name}`, async () => {
        await setImmediate();
        return context.value;
      });
    };
    const calls = ['a', 'b', 'c'].map((name, n) => context.run(name, () => seen(name, 3 * n)));
    expect(await Promise.all(calls)).toEqual(['inside a', 'inside b', 'inside c']);
    expect(context.value).toBeUndefined();
  });

  it('has Node.js follow promises only while a call runs, also after one that failed', async () => {
    const context = new AsyncContext<string>();
    const before = hooksInUse();
    const failed = context.run('a', async () => {
      await setImmediate();
      // From version 24 on, Node.js needs no hooks.
      if (Number(process.versions.node.split('.')[0]) < 24) expect(hooksInUse()).toBeGreaterThan(before);
      throw new Error('failed');
    });
    await expect(failed).rejects.toThrow('failed');
    expect(hooksInUse()).toBe(before);
  });
});
