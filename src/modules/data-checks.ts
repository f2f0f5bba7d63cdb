import { isObject, type DataChecks } from '../platform/database/checks/data-checks.js';
import { API_KEY_CHECKS } from './identity/api-keys/adapters/postgres-api-key-checks.js';
import {
  BULK_CHECKS,
  BULK_COUNTERS,
  BULK_REFERENCES,
  BULK_SHAPES,
} from './lists/bulk/adapters/postgres-bulk-checks.js';
import { POLICY_SHAPES } from './verification/policy/adapters/postgres-policy-checks.js';
import { SCHEDULE_REFERENCES, SCHEDULE_SHAPES } from './lists/schedules/adapters/postgres-schedule-checks.js';
import { TEAM_CHECKS } from './identity/teams/adapters/postgres-team-checks.js';
import { USAGE_CHECKS } from './identity/usage/adapters/postgres-usage-checks.js';
import { WEBHOOK_REFERENCES, WEBHOOK_SHAPES } from './events/webhooks/adapters/postgres-webhook-checks.js';

/** What `rcpt check-data` looks for, besides constraints of the schema and encrypted values. */
export const DATA_CHECKS: DataChecks = {
  rows: [...TEAM_CHECKS, ...API_KEY_CHECKS, ...USAGE_CHECKS, ...BULK_CHECKS],
  references: [
    ...BULK_REFERENCES,
    ...SCHEDULE_REFERENCES,
    ...WEBHOOK_REFERENCES,
    { from: 'address_facts.team_id', to: 'teams.id' },
    { from: 'rechecks.team_id', to: 'teams.id' },
    { from: 'rechecks.list', to: 'bulk_jobs.list', only: 'c.due_at IS NOT NULL' },
    { from: 'outcomes.team_id', to: 'teams.id' },
    { from: 'outcome_verdicts.team_id', to: 'teams.id' },
    { from: 'outcome_statistics.team_id', to: 'teams.id' },
    { from: 'outcome_accepted.team_id', to: 'teams.id' },
    // A subscription may exist after its team.
    { from: 'billing_customers.team_id', to: 'teams.id', only: 'c.team_gone_at IS NULL' },
  ],
  counters: BULK_COUNTERS,
  shapes: [
    ...BULK_SHAPES,
    ...POLICY_SHAPES,
    ...SCHEDULE_SHAPES,
    ...WEBHOOK_SHAPES,
    { column: 'api_keys.publishable', isValid: isObject },
    {
      column: 'api_keys.oauth_client',
      isValid: (client) => isObject(client) && typeof client.id === 'string',
    },
    { column: 'oauth_records.payload', isValid: isObject },
    { column: 'address_facts.facts', isValid: isObject },
    { column: 'outcome_statistics.statistics', isValid: isObject },
    { column: 'outbox.data', isValid: isObject },
    { column: 'audit_log.details', isValid: isObject },
  ],
};
