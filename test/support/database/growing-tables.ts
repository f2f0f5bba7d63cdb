import { DataSource } from 'typeorm';
import { ScheduledTasks } from '../../../src/platform/time/scheduled-tasks.js';
import type { TestApp } from '../app/app.js';

/** A growing table and the scheduled task that deletes its old rows. */
export interface GrowingTable {
  table: string;
  sweep: string;
  /** Column values of row `n`, with the age `$age` in days. */
  columns: string;
  values: string;
  /** Days after which a row is deleted. */
  keptDays: number;
}

export const GROWING_TABLES: readonly GrowingTable[] = [
  {
    table: 'outbox',
    sweep: 'delete dispatched events',
    columns: 'id, type, team_id, data, occurred_at, dispatched_at',
    values: `'evt_' || $age || n, 'key.created', 'team_' || n % 100, '{}', $at, $at`,
    keptDays: 7,
  },
  {
    table: 'audit_log',
    sweep: 'delete old audit entries',
    columns: 'id, at, action, team_id, target_type, target_id, details',
    values: `'aud_' || n, $at, 'key.created', 'team_' || n % 100, 'key', 'key_' || n, '{}'`,
    keptDays: 400,
  },
  {
    table: 'failed_requests',
    sweep: 'delete old failed requests',
    columns: 'id, at, team_id, key_id, request_id, method, status, duration_ms',
    values: `'req_' || $age || n, $at, 'team_' || n % 100, 'key_' || n, 'r-' || n, 'GET', 404, 1`,
    keptDays: 7,
  },
  {
    table: 'address_facts',
    sweep: 'delete expired facts',
    columns: 'team_id, address_hash, facts, observed_at, expires_at',
    values: `'team_' || n % 100, sha256(('$age ' || n)::bytea), '{}', $at, $at + interval '7 days'`,
    keptDays: 7,
  },
  {
    table: 'outcomes',
    sweep: 'delete old outcomes',
    columns: 'team_id, address_hash, event_key, kind, is_hard, domain, at',
    values: `'team_' || n % 100, sha256(('$age ' || n)::bytea), '\\x00', 'delivered', false, 'example.com', $at`,
    keptDays: 400,
  },
  {
    table: 'outcome_accepted',
    sweep: 'delete old counts of accepted addresses',
    columns: 'team_id, host, name, day, addresses, since',
    values: `'team_' || n % 100, '', sha256(('$age ' || n)::bytea), ($at)::date, 1, $at`,
    keptDays: 90,
  },
  {
    table: 'outcome_source_tokens',
    sweep: 'delete used tokens of providers',
    columns: 'source_id, digest, used_at',
    values: `'src_' || n % 100, sha256(('$age ' || n)::bytea), $at`,
    keptDays: 3,
  },
  {
    table: 'rechecks',
    sweep: 'delete verdicts of rechecks',
    columns: 'id, team_id, address_hash, reason, first_requested_at, erase_at',
    values: `'chk_' || $age || n, 'team_' || n % 100, sha256(n::text::bytea), 'greylisted', $at, $at + interval '30 days'`,
    keptDays: 30,
  },
  {
    table: 'webhook_deliveries',
    sweep: 'delete old webhook deliveries',
    columns: 'id, webhook_id, event_id, type, data, occurred_at, created_at, status',
    values: `'dlv_' || $age || n, 'whk_' || n % 100, 'evt_' || $age || n, 'key.created', '{}', $at, $at, 'succeeded'`,
    keptDays: 30,
  },
  {
    table: 'idempotency_keys',
    sweep: 'delete old idempotency keys',
    columns: 'team_id, mode, key_digest, holder, leased_until, created_at',
    values: `'team_' || n % 100, 'live', sha256(('$age ' || n)::bytea), 'holder', $at, $at`,
    keptDays: 1,
  },
  {
    table: 'billing_events',
    sweep: 'delete old provider events',
    columns: 'id, customer_id, received_at',
    values: `'evt_' || $age || n, 'cus_' || n % 100, $at`,
    keptDays: 30,
  },
  {
    table: 'usage_days',
    sweep: 'delete old usage',
    columns: 'team_id, day, account, single, bulk, free, deliverable, undeliverable, risky, unknown',
    values: `'team_' || n, ($at)::date, 'key_1', 1, 0, 0, 1, 0, 0, 0`,
    keptDays: 400,
  },
  {
    table: 'publishable_requests',
    sweep: 'delete counters of publishable keys',
    columns: 'key_id, client, day, minute',
    values: `'key_' || $age || n, 'client', ($at)::date, $at`,
    keptDays: 1,
  },
  {
    table: 'publishable_addresses',
    sweep: 'delete counters of publishable keys',
    columns: 'scope, address, requested_at',
    values: `sha256(('$age ' || n)::bytea), 'address', $at`,
    keptDays: 1,
  },
  {
    table: 'quota_days',
    sweep: 'delete old usage',
    columns: 'team_id, day',
    values: `'team_' || n, ($at)::date`,
    keptDays: 400,
  },
  {
    table: 'self_check_days',
    sweep: 'delete old checks',
    columns: 'day, name, egress, status, detail',
    values: `($at)::date, 'dns_lists', $age || '.' || n, 'pass', ''`,
    keptDays: 90,
  },
  {
    table: 'smtp_permits',
    sweep: 'delete expired permits and shared state',
    columns: 'egress, provider, expires_at',
    values: `'direct', $age || '.' || n, $at + interval '1 day'`,
    keptDays: 1,
  },
  {
    table: 'smtp_shared_state',
    sweep: 'delete expired permits and shared state',
    columns: 'kind, key, value, process, changed_at, expires_at',
    values: `'catch_all', $age || '.' || n, '{}', 'other', $at, $at + interval '1 day'`,
    keptDays: 1,
  },
];

/** Inserts rows of an age. */
export function grow(app: TestApp, growing: GrowingTable, rows: number, ageDays: number): Promise<unknown> {
  const at = `(now() - interval '${ageDays} days')`;
  const values = growing.values.replaceAll('$age', String(ageDays)).replaceAll('$at', at);
  return app.service.app
    .get(DataSource)
    .query(
      `INSERT INTO ${growing.table} (${growing.columns}) SELECT ${values} FROM generate_series(1, ${rows}) AS n`,
    );
}

/** Runs a scheduled task once. @returns the number of processed items. */
export function sweep(app: TestApp, name: string): Promise<number> {
  return app.service.app.get(ScheduledTasks).run(name);
}

/** Runs a scheduled task until it processes no items. @returns their total number. */
export async function sweepAll(app: TestApp, name: string): Promise<number> {
  let sum = 0;
  for (let count = Infinity; count > 0; sum += count) count = await sweep(app, name);
  return sum;
}

/** Inserts rows of a team that has much data. */
export function growTeam(
  app: TestApp,
  teamId: string,
  webhookId: string,
  rows: number,
  from = 0,
): Promise<unknown[]> {
  const inserts = [
    `INSERT INTO address_facts SELECT $1, sha256(n::text::bytea), '{}', now(), now() + interval '7 days'`,
    `INSERT INTO rechecks (id, team_id, address_hash, address, reason, first_requested_at, due_at)
     SELECT 'chk_' || $1 || n, $1, sha256(n::text::bytea), '', 'greylisted', now(), now() + interval '1 hour'`,
    `INSERT INTO idempotency_keys (team_id, mode, key_digest, holder, leased_until)
     SELECT $1, 'live', sha256(n::text::bytea), 'holder', now()`,
    `INSERT INTO failed_requests (id, at, team_id, key_id, request_id, method, status, duration_ms)
     SELECT 'req_' || $1 || n, now(), $1, 'key_' || n, 'r-' || n, 'GET', 404, 1`,
    `INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, data, occurred_at, created_at, status, due_at)
     SELECT 'dlv_' || $1 || n, $1, 'evt_' || n, 'key.created', '{}', now(), now(), 'pending', now() + interval '1 day'`,
  ];
  const dataSource = app.service.app.get(DataSource);
  return Promise.all(
    inserts.map((insert) =>
      dataSource.query(`${insert} FROM generate_series(${from + 1}, ${from + rows}) AS n`, [
        insert.includes('webhook_deliveries') ? webhookId : teamId,
      ]),
    ),
  );
}
