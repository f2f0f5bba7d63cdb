const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Files that take more than 12 s, about the longest first. One in three mostly waits for timers and other processes
 * (`shared-connections`, `process-ending`, `provider-limits`, `job-queue`), so that three workers use two processors.
 * Without timings of an earlier run, Jest starts the largest files first.
 */
const LONG = [
  'console-joined',
  'separate-processes',
  'shared-connections',
  'console-team',
  'process',
  'console-files',
  'client-python',
  'process-ending',
  'console-teams',
  'provider-limits',
  'console',
  'console-shell',
  'embedded-postgres',
  'console-lists',
  'cli-bulk-local',
  'console-session',
  'console-look',
  'webhook-schedule',
  'client-typescript',
  'widget-pages',
  'bulk-mail-faults',
  'console-results',
  'widget-submit',
  'job-queue',
  'console-layout',
  'bulk-results',
  'console-outcomes',
  'smtp-session-pool',
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
