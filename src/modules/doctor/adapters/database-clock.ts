import { fail, pass, skipped, warn, type Check, type CheckResult } from './check.js';

const WARN_SECONDS = 2;
const FAIL_SECONDS = 60;
const KEEP_TIME =
  'synchronize the system clock (systemd-timesyncd, chrony, or the clock of the host for a virtual machine)';

export const DATABASE_CLOCK: Check = {
  name: 'database_clock',
  why: 'the day of a quota is that of the database; the expiry of keys and the deadlines of jobs use the clock of this machine',
  network: false,
  run: async ({ database }) => {
    const open = await database.opened();
    if ('absent' in open) return skipped('the embedded database is created at the first start');
    if ('error' in open) return skipped('the database does not answer');
    return judgeOffset(await database.clockOffsetSeconds());
  },
};

/** @param seconds that the clock of the database is ahead. */
function judgeOffset(seconds: number): CheckResult {
  const off = Math.abs(seconds);
  const found = `${off.toFixed(off < 10 ? 1 : 0)} s ${seconds > 0 ? 'behind' : 'ahead of'} the database`;
  if (off >= FAIL_SECONDS) return fail(`the clock is ${found}`, KEEP_TIME);
  if (off >= WARN_SECONDS) return warn(`the clock is ${found}`, KEEP_TIME);
  return pass('the clock agrees with the database');
}
