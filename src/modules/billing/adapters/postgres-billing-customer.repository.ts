import type { TeamId } from '../../../kernel/principal.js';
import type { PostgresUnitOfWork } from '../../../platform/database/postgres-unit-of-work.js';
import { purge } from '../../../platform/database/purge.js';
import type { BillingCustomer, SyncedState } from '../domain/billing-customer.js';
import { BillingCustomerRepository } from '../domain/billing-customer.repository.js';
import type { CustomerId, ProviderEvent } from '../domain/payment-provider.js';

const COLUMNS = `customer_id AS "customerId", team_id AS "teamId", tier, state, ends_at AS "endsAt",
  team_gone_at AS "teamGoneAt", failures, turn AS version`;
/** Due at once, by whichever process's clock. */
const RUNG = `turn = turn + 1, failures = 0, due_at = '-infinity'`;
/** How many customers one worker asks about at once, and in a second: well under the provider's limits. */
const BATCH = 10;
/** Longer than asking takes; whoever has not come back by then has died. */
const LEASE_MS = 120_000;

export class PostgresBillingCustomerRepository extends BillingCustomerRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  async ofTeam(team: TeamId): Promise<BillingCustomer | null> {
    const rows = await this.work.manager.query<BillingCustomer[]>(
      `SELECT ${COLUMNS} FROM billing_customers WHERE team_id = $1`,
      [team],
    );
    return rows[0] ?? null;
  }

  async add(team: TeamId, customer: CustomerId, dueAt: Date): Promise<CustomerId> {
    await this.work.manager.query(
      `INSERT INTO billing_customers (customer_id, team_id, due_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [customer, team, dueAt],
    );
    return (await this.ofTeam(team))?.customerId ?? customer;
  }

  async receive({ id, customerId }: ProviderEvent, now: Date): Promise<boolean> {
    const kept = await this.work.manager.query<unknown[]>(
      `INSERT INTO billing_events (id, customer_id, received_at)
       SELECT $1, customer_id, $3 FROM billing_customers WHERE customer_id = $2
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, customerId, now],
    );
    if (kept.length === 0) return false;
    await this.work.manager.query(`UPDATE billing_customers SET ${RUNG} WHERE customer_id = $1`, [
      customerId,
    ]);
    return true;
  }

  async requestSync(team: TeamId): Promise<void> {
    await this.work.manager.query(`UPDATE billing_customers SET ${RUNG} WHERE team_id = $1`, [team]);
  }

  async claimDue(now: Date): Promise<BillingCustomer[]> {
    const [claimed] = await this.work.manager.query<[BillingCustomer[], number]>(
      `UPDATE billing_customers SET turn = turn + 1, due_at = $2
        WHERE customer_id IN (SELECT customer_id FROM billing_customers WHERE due_at <= $1
                               ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING ${COLUMNS}`,
      [now, new Date(now.getTime() + LEASE_MS)],
    );
    return claimed;
  }

  async lockForUpdate({ customerId, version }: BillingCustomer): Promise<BillingCustomer | null> {
    const rows = await this.work.manager.query<BillingCustomer[]>(
      `SELECT ${COLUMNS} FROM billing_customers WHERE customer_id = $1 AND turn = $2 FOR UPDATE`,
      [customerId, version],
    );
    return rows[0] ?? null;
  }

  async saveState(
    customer: CustomerId,
    { tier, state, endsAt, teamGoneAt, dueAt }: SyncedState,
  ): Promise<void> {
    await this.work.manager.query(
      `UPDATE billing_customers SET tier = $2, state = $3, ends_at = $4, team_gone_at = $5, due_at = $6, failures = 0
        WHERE customer_id = $1`,
      [customer, tier, state, endsAt, teamGoneAt, dueAt],
    );
  }

  async forget(customer: CustomerId): Promise<void> {
    await this.work.manager.query('DELETE FROM billing_customers WHERE customer_id = $1', [customer]);
  }

  async defer({ customerId, version }: BillingCustomer, dueAt: Date): Promise<void> {
    await this.work.manager.query(
      'UPDATE billing_customers SET failures = failures + 1, due_at = $3 WHERE customer_id = $1 AND turn = $2',
      [customerId, version, dueAt],
    );
  }

  deleteOldEvents(receivedBefore: Date): Promise<number> {
    const where = 'received_at < $1';
    return purge(this.work, {
      table: 'billing_events',
      where,
      orderBy: 'received_at',
      values: [receivedBefore],
    });
  }
}
