const { default: Sequencer } = require('@jest/test-sequencer');

/** Files that take long although they are short. Without timings of an earlier run, Jest starts the largest files first. */
const LONG = [
  'process-ending',
  'process',
  'shared-connections',
  'console-team',
  'client-python',
  'client-typescript',
  'widget',
  'widget-pages',
  'bulk-kills',
  'usage-kills',
  'webhook-kills',
  'job-queue',
  'imports',
  'openapi-clients',
  'client-python',
  'client-typescript',
  'quota-processes',
  'embedded-cluster',
  'embedded-postgres',
  'embedded-home',
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
