const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take more than 12 s, the longest first. Without timings of an earlier run, Jest starts the largest files first. */
const LONG = [
  'separate-processes',
  'console-team',
  'process-ending',
  'shared-connections',
  'process',
  'client-typescript',
  'widget-pages',
  'job-queue',
  'embedded-home',
  'client-python',
  'embedded-postgres',
  'widget',
  'console',
  'owners',
  'embedded-cluster',
  'rate-limits',
  'webhook-schedule',
  'quota-processes',
  'members',
  'webhook-events',
  'smtp-mailbox-prober',
  'migrations',
  'midnight',
  'bulk-fairness',
  'cli-bulk-local',
  'cli',
  'faults',
  'openapi-clients',
  'imports',
  'fuzz',
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
