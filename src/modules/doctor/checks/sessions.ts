import { sentenceOf } from '../../../engine/limits/connection-limit.js';
import { EGRESS_ITSELF } from '../../../engine/limits/connection-permits.js';
import type { PermitUsage } from '../../../engine/limits/permit-store.js';
import { KNOWN_LIMITS } from '../../../engine/providers/session-limits.js';
import { isMigrated } from '../../../platform/database/migrate.js';
import type { EgressSettings } from '../../../platform/net/egress.js';
import { notApplicable, pass, skipped, type Check } from './check.js';

/** More lines would hide the others. */
const MAX_SHOWN = 5;

/** Why requests wait for a session with a mail provider, in all processes, as they last reported it. */
export const SESSIONS: Check = {
  check: 'sessions',
  why: 'requests that wait for a session are slow; this says which limit they wait for',
  network: false,
  run: async ({ database, config, usageOf }) => {
    const opened = await database();
    if ('absent' in opened) return notApplicable('the embedded database is created at the first start');
    if ('error' in opened) return skipped('the database does not respond');
    if (!(await isMigrated(opened.dataSource))) return skipped('migrations are missing');
    const usage = await usageOf(opened.dataSource);
    const sentences = usage
      .filter(({ waiting }) => waiting > 0)
      .sort((a, b) => b.waiting - a.waiting)
      .slice(0, MAX_SHOWN)
      .flatMap((one) => sentenceAbout(one, config.smtp.egresses));
    return pass(sentences.join('; ') || 'no request waits for a session with a mail provider');
  },
};

function sentenceAbout(
  { egress, provider, waiting, blockedBy }: PermitUsage,
  egresses: readonly EgressSettings[],
): string[] {
  if (blockedBy === null) return [];
  const { name } = egresses.find(({ key }) => key === egress) ?? { name: 'another egress' };
  // Other names are those of customers' servers.
  const known = KNOWN_LIMITS[provider] === undefined ? 'another provider' : provider;
  const where = provider === EGRESS_ITSELF ? name : `${known} through ${name}`;
  return [`${waiting} wait for ${where}: ${sentenceOf(blockedBy)}`];
}
