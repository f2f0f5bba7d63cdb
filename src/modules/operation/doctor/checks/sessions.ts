import { sentenceOf } from '../../../../engine/limits/not-dialled.js';
import { isMigrated } from '../../../../platform/database/migrate.js';
import type { ProviderState } from '../../../../engine/limits/provider-sessions.js';
import { notApplicable, pass, skipped, type Check } from './check.js';

/** More lines would hide the others. */
const MAX_SHOWN = 5;

/** Why requests wait for a session with a mail provider, in all processes, as they last reported it. */
export const SESSIONS: Check = {
  check: 'sessions',
  why: 'requests that wait for a session are slow; this says which limit they wait for',
  network: false,
  run: async ({ database, sessionsIn }) => {
    const opened = await database();
    if ('absent' in opened) return notApplicable('the embedded database is created at the first start');
    if ('error' in opened) return skipped('the database does not respond');
    if (!(await isMigrated(opened.dataSource))) return skipped('migrations are missing');
    const sessions = await sessionsIn(opened.dataSource);
    const sentences = sessions
      .filter(({ waiting }) => waiting > 0)
      .sort((a, b) => b.waiting - a.waiting)
      .slice(0, MAX_SHOWN)
      .flatMap(sentenceAbout);
    return pass(sentences.join('; ') || 'no request waits for a session with a mail provider');
  },
};

function sentenceAbout({ egress, provider, waiting, notDialled }: ProviderState): string[] {
  if (notDialled === null) return [];
  const known = provider === 'other' ? 'another provider' : provider;
  const where = known === null ? egress : `${known} through ${egress}`;
  return [`${waiting} wait for ${where}: ${sentenceOf(notDialled)}`];
}
