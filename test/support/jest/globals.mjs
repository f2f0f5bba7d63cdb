// What specs import as `@jest/globals`: the functions of jest-light-runner, which has no time limits.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LIMIT_MS = 60_000;

/** Not those that a test replaces. */
const { clearTimeout, setTimeout } = globalThis;

/** The worker would end, and the run would wait for it. */
if (!isMainThread) {
  const { exit } = process;
  process.exit = (code) => {
    throw new Error(`A test called process.exit(${code ?? ''})`);
  };
  // Node calls it after an uncaught error, which fails the file.
  process.once('uncaughtExceptionMonitor', () => (process.exit = exit));
}

/** As Node prints it; the end of the run fails on it, as on that of a child process. */
process.on('warning', ({ name, message, stack }) => {
  const file = process.env.RCPT_TEST_LOG;
  if (file !== undefined) appendFileSync(file, `(node:${process.pid}) ${name}: ${message}\n${stack}\n`);
});

function limited(fn, ms = LIMIT_MS) {
  const error = new Error(`Exceeded the time limit of ${ms} ms`);
  return async (...args) => {
    let timer;
    const exceeded = new Promise((_, reject) => {
      timer = setTimeout(reject, ms, error);
    });
    try {
      await Promise.race([fn(...args), exceeded]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const limitedHook = (add) => (fn, ms) => add(limited(fn, ms));
const limitedTest = (add) => (name, fn, ms) => add(name, limited(fn, ms));

const { it: test } = globalThis;
export const it = Object.assign(limitedTest(test), {
  each: (...table) => limitedTest(test.each(...table)),
  only: limitedTest(test.only),
  skip: test.skip,
});
export const afterAll = limitedHook(globalThis.afterAll);
export const afterEach = limitedHook(globalThis.afterEach);
export const beforeAll = limitedHook(globalThis.beforeAll);
export const beforeEach = limitedHook(globalThis.beforeEach);
export const { describe, expect, jest } = globalThis;
