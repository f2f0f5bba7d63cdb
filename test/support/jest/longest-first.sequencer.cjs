const { existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const ROOT = join(__dirname, '../../..');
/** Milliseconds by the name of a spec, so that a file can move. Written with `UPDATE_DURATIONS=1`. */
const STORED = join(__dirname, 'durations.json');
/** Shorter ones fill the gaps in any order. */
const STORED_FROM_MS = 1_000;

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
  const all = new Map(Object.entries(stored()));
  for (const { testFilePath, perfStats, skipped } of testResults)
    if (!skipped) all.set(nameOf(testFilePath), Math.round(perfStats.runtime / 100) * 100);
  const kept = [...all].filter(([name, ms]) => exists.has(name) && ms >= STORED_FROM_MS);
  return Object.fromEntries(kept.sort(([, one], [, other]) => other - one));
}

/**
 * Starts the longest files first, so that no worker is idle at the end of the run: by the last run on this machine, or
 * else by what is stored, or else the largest first. Three workers use two processors, because one in three mostly
 * waits for timers and other processes.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const bySize = super.sort(tests);
    if (bySize.every(({ duration }) => duration != null)) return bySize;
    const durations = stored();
    const msOf = ({ path, duration }) => duration ?? durations[nameOf(path)] ?? 0;
    return bySize.sort((one, other) => msOf(other) - msOf(one));
  }

  cacheResults(tests, results) {
    super.cacheResults(tests, results);
    if (process.env.UPDATE_DURATIONS === undefined) return;
    writeFileSync(STORED, `${JSON.stringify(updated(results.testResults), null, 2)}\n`);
  }
};
