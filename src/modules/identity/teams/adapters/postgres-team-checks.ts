import type { RowCheck } from '../../../../platform/database/checks/data-checks.js';

export const TEAM_CHECKS: readonly RowCheck[] = [
  {
    table: 'teams',
    problem: 'have no owner',
    query: `SELECT id FROM teams t WHERE NOT EXISTS (SELECT FROM members m WHERE m.team_id = t.id AND m.role = 'owner')`,
  },
  {
    table: 'invites',
    problem: 'have a token_digest that is no SHA-256',
    query: 'SELECT id FROM invites WHERE octet_length(token_digest) <> 32',
  },
];
