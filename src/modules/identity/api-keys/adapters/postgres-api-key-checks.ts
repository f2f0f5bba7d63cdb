import type { RowCheck } from '../../../../platform/database/checks/data-checks.js';

export const API_KEY_CHECKS: readonly RowCheck[] = [
  {
    table: 'api_keys',
    problem: 'have a digest that is no SHA-256',
    query: 'SELECT id FROM api_keys WHERE octet_length(digest) <> 32',
  },
  {
    table: 'api_keys',
    problem: 'have another digest than that of their text',
    query: `SELECT id FROM api_keys WHERE publishable_key IS NOT NULL AND digest <> sha256(convert_to(publishable_key, 'UTF8'))`,
  },
];
