import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';

/** A statement that waits longer for a lock fails. A process of the release gives up after ten seconds. */
const LOCK_TIMEOUT = '1s';

/** What processes of 0.2.0 send while they verify a list and answer requests, with rows of a team of their own. */
const STATEMENTS: readonly ((team: string, n: number) => [text: string, values?: unknown[]])[] = [
  () => [
    'SELECT id, team_id, user_id, mode, expires_at, revoked_at, publishable FROM api_keys WHERE revoked_at IS NULL',
  ],
  (team) => ['UPDATE api_keys SET last_used_at = now() WHERE team_id = $1', [team]],
  (team) => ['SELECT id, base_tier, subscription_tier, role_is_risky FROM teams WHERE id = $1', [team]],
  (team) => ['UPDATE members SET last_active_at = now() WHERE team_id = $1', [team]],
  (team) => [
    `INSERT INTO quota_days AS d (team_id, day, used, reserved) VALUES ($1, '2026-01-01', 1, 1)
     ON CONFLICT (team_id, day) DO UPDATE SET used = d.used + 1`,
    [team],
  ],
  (team) => [
    `INSERT INTO usage_days AS u (team_id, day, account, single, bulk, free, deliverable, undeliverable, risky, unknown)
     VALUES ($1, '2026-01-01', 'key_1', 1, 0, 0, 1, 0, 0, 0)
     ON CONFLICT (team_id, day, account) DO UPDATE SET single = u.single + 1`,
    [team],
  ],
  (team, n) => [
    `INSERT INTO bulk_jobs (id, team_id, mode, state, refresh, total, empty, addresses, processed, verified, charged,
       by_reason, bounces, chunks_left, deferred_left, retention_days, created_at, touched_at)
     VALUES ($1, $2, 'live', 'receiving', false, 1, 0, 1, 0, 0, 0, '{}', '{}', 0, 0, 30, now(), now())`,
    [`job_${team}_${n}`, team],
  ],
  (team, n) => ['SELECT list FROM bulk_jobs WHERE id = $1 FOR NO KEY UPDATE', [`job_${team}_${n}`]],
  (team, n) => [
    `INSERT INTO bulk_rows (list, idx, address_key, email, ref) SELECT list, 0, sha256(id::bytea), 'a@one.mailworld', NULL
     FROM bulk_jobs WHERE id = $1`,
    [`job_${team}_${n}`],
  ],
  (team, n) => [
    `INSERT INTO bulk_results (address_key, reason, probed, verdict) VALUES (sha256($1::bytea), 'accepted_email', true, '{}')`,
    [`job_${team}_${n}`],
  ],
  (team, n) => [
    `INSERT INTO bulk_row_reasons (list, idx, reason) SELECT list, 0, 'accepted_email' FROM bulk_jobs WHERE id = $1`,
    [`job_${team}_${n}`],
  ],
  (team, n) => [
    `INSERT INTO bulk_chunks (list, no, hash_from, hash_to) SELECT list, 0, '', '' FROM bulk_jobs WHERE id = $1`,
    [`job_${team}_${n}`],
  ],
  (team, n) => [
    `UPDATE bulk_jobs SET state = 'completed', processed = 1, verified = 1, charged = 1, finished_at = now() WHERE id = $1`,
    [`job_${team}_${n}`],
  ],
  (team, n) => [
    'DELETE FROM bulk_chunks WHERE list IN (SELECT list FROM bulk_jobs WHERE id = $1)',
    [`job_${team}_${n}`],
  ],
  (team, n) => [
    `INSERT INTO outbox (id, type, team_id, data, occurred_at, dispatched_at)
     VALUES ($1, 'bulk_job.completed', $2, '{}', now(), now())`,
    [`evt_${team}_${n}`, team],
  ],
  (team, n) => [
    `INSERT INTO webhook_deliveries (id, webhook_id, event_id, type, data, occurred_at, created_at, status, due_at)
     VALUES ($1, 'whk_none', $1, 'bulk_job.completed', '{}', now(), now(), 'pending', now())`,
    [`dlv_${team}_${n}`],
  ],
  (team, n) => [
    `UPDATE webhook_deliveries SET status = 'succeeded', due_at = NULL, tries = 1 WHERE id = $1`,
    [`dlv_${team}_${n}`],
  ],
  (team, n) => [
    `INSERT INTO audit_log (id, at, action, team_id, target_type, target_id, details)
     VALUES ($1, now(), 'bulk_job.created', $2, 'bulk_job', $1, '{}')`,
    [`aud_${team}_${n}`, team],
  ],
  (team, n) => [
    `INSERT INTO address_facts (team_id, address_hash, facts, observed_at, expires_at)
     VALUES ($1, sha256($2::bytea), '{}', now(), now())`,
    [team, `fact ${n}`],
  ],
  (team, n) => [
    `INSERT INTO outcomes (team_id, address_hash, event_key, kind, is_hard, domain, at)
     VALUES ($1, sha256($2::bytea), '', 'delivered', false, 'one.mailworld', now())`,
    [team, `outcome ${n}`],
  ],
  (team, n) => [
    `INSERT INTO idempotency_keys (team_id, mode, key_digest, holder, leased_until)
     VALUES ($1, 'live', sha256($2::bytea), 'holder', now())`,
    [team, `key ${n}`],
  ],
];

/** Statements of processes of the release, one after the other, while migrations run. */
export class OldTraffic {
  /** Statements that have been answered. */
  statements = 0;
  readonly failures: string[] = [];
  /** Resolves at the first failure. */
  readonly failed: Promise<void>;
  private fail = () => {};
  private ending = false;
  private running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly client: Client,
    private readonly team: string,
  ) {
    this.failed = new Promise((resolve) => (this.fail = resolve));
  }

  /** Starts after one round without a migration. */
  static async start(url: string, team: string): Promise<OldTraffic> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
    const traffic = new OldTraffic(client, team);
    await traffic.round();
    traffic.running = traffic.run();
    return traffic;
  }

  /** Ends after one more round. */
  async stop(): Promise<void> {
    this.ending = true;
    await this.running;
    await this.round();
    await this.client.end();
  }

  private async run(): Promise<void> {
    while (!this.ending) {
      await this.round();
      await setImmediate();
    }
  }

  private async round(): Promise<void> {
    const n = process.hrtime.bigint();
    for (const statement of STATEMENTS) {
      const [text, values] = statement(this.team, Number(n % 10n ** 15n));
      try {
        await this.client.query(text, values);
      } catch (error) {
        this.failures.push(`${(error as Error).message}: ${text.trim()}`);
        this.fail();
      }
      this.statements++;
    }
  }
}
