const { existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const ROOT = join(__dirname, '../../..');
/** Milliseconds by the name of a spec, so that a file can move. Written with `UPDATE_DURATIONS=1`. */
const STORED = join(__dirname, 'durations.json');
/** Shorter ones fill the gaps in any order. */
const STORED_FROM_MS = 1_000;
/** Of those that take longer, the longest mostly wait. */
const LONG_FROM_MS = 8_000;

const nameOf = (path) => basename(path).replace(/(\.release)?\.spec\.ts$/, '');

const stored = () => (existsSync(STORED) ? JSON.parse(readFileSync(STORED, 'utf8')) : {});

/** Of specs that exist: those of this run, and what is stored of the others. */
function updated(testResults) {
  const exists = new Set(
    ['src', 'test'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true })
        .filter((path) => path.endsWith('.spec.ts'))
        .map(nameOf),
    ),
  );
  const measured = new Map();
  for (const { testFilePath, perfStats, skipped } of testResults) {
    const name = nameOf(testFilePath);
    const ms = Math.round(perfStats.runtime / 100) * 100;
    // Two folders may have a spec of one name.
    if (!skipped) measured.set(name, Math.max(ms, measured.get(name) ?? 0));
  }
  const all = new Map([...Object.entries(stored()), ...measured]);
  const kept = [...all].filter(([name, ms]) => exists.has(name) && ms >= STORED_FROM_MS);
  return Object.fromEntries(kept.sort(([, one], [, other]) => other - one));
}

/** The first half in turns with the second one: where all workers wait, the processors are idle. */
function mixed(tests) {
  const half = Math.ceil(tests.length / 2);
  return tests.slice(0, half).flatMap((test, n) => [test, ...tests.slice(half + n, half + n + 1)]);
}

/**
 * Starts the longest files first, so that no worker is idle at the end of the run: by the last run on this machine, or
 * else by what is stored, or else the largest first. Four workers use two processors, because two in four mostly
 * wait for timers and other processes.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const bySize = super.sort(tests);
    const durations = stored();
    const msOf = ({ path, duration }) => duration ?? durations[nameOf(path)] ?? 0;
    const longestFirst = bySize.sort((one, other) => msOf(other) - msOf(one));
    const long = longestFirst.filter((test) => msOf(test) >= LONG_FROM_MS);
    return [...mixed(long), ...longestFirst.slice(long.length)];
  }

  cacheResults(tests, results) {
    super.cacheResults(tests, results);
    if (process.env.UPDATE_DURATIONS === undefined) return;
    writeFileSync(STORED, `${JSON.stringify(updated(results.testResults), null, 2)}\n`);
  }
};
