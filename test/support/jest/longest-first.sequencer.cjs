const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Files that take more than 6 s, about the longest first. One in three mostly waits for timers and other processes
 * (`shared-connections`, `process-ending`, `provider-limits`, `job-queue`), so that three workers use two processors.
 * Without timings of an earlier run, Jest starts the largest files first.
 */
const LONG = [
  'shared-connections',
  'separate-processes',
  'package',
  'console-joined',
  'process',
  'provider-limits',
  'console-team',
  'console-downloads',
  'client-python',
  'process-ending',
  'strangers',
  'console-files',
  'widget-failures',
  'smtp-session-pool',
  'console-teams',
  'job-queue',
  'embedded-postgres',
  'image',
  'client-typescript',
  'console-reading',
  'console',
  'cli-bulk-local',
  'bulk-mail-faults',
  'faults',
  'bulk-results',
  'verify-body',
  'console-lists',
  'console-widths',
  'console-results',
  'console-schedules',
  'bulk-exactly-once',
  'egress-server',
  'widget-pages',
  'console-session',
  'widget',
  'console-shell',
  'console-look',
  'webhook-schedule',
  'upgrade',
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
