import type { RowCheck } from '../../../../platform/database/checks/data-checks.js';

/** Older days may have lost a part of their rows to the retention. */
const KEPT = 'day > rcpt_today() - 390';

export const USAGE_CHECKS: readonly RowCheck[] = [
  {
    table: 'usage_days',
    problem: 'have sums that are not equal: by kind and by status',
    query: `SELECT concat_ws(' ', team_id, day, account) AS id FROM usage_days
             WHERE single + bulk <> deliverable + undeliverable + risky + unknown OR free > single + bulk OR rate_limited > unknown`,
  },
  {
    table: 'quota_days',
    problem: 'have a use that is not the sum of what was charged',
    query: `SELECT concat_ws(' ', q.team_id, q.day) AS id FROM quota_days q
              LEFT JOIN (SELECT team_id, day, sum(single + bulk - free) AS charged FROM usage_days GROUP BY 1, 2) u USING (team_id, day)
             WHERE q.${KEPT} AND q.used <> coalesce(u.charged, 0)`,
  },
];
