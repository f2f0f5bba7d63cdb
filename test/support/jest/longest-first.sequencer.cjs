const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take more than 12 s, the longest first. Without timings of an earlier run, Jest starts the largest files first. */
const LONG = [
  'separate-processes',
  'shared-connections',
  'process',
  'console-joined',
  'console-team',
  'client-python',
  'process-ending',
  'provider-limits',
  'job-queue',
  'client-typescript',
  'embedded-postgres',
  'cli-bulk-local',
  'console-teams',
  'outcome-poisoning',
  'webhook-schedule',
  'engine-library',
  'quota-processes',
  'bulk-mail-faults',
  'bulk-intake-encodings',
  'bulk-results',
  'database-connection',
  'imports',
];

/** Starts the long files first, so that no worker is idle at the end of the run. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = LONG.indexOf(/([^\\/]+)\.spec\.ts$/.exec(path)?.[1]);
      return at === -1 ? LONG.length : at;
    };
    const bySize = super.sort(tests);
    return bySize.some(({ duration }) => duration == null)
      ? bySize.sort((one, other) => rank(one) - rank(other))
      : bySize;
  }
};
