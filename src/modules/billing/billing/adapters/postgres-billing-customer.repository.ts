import { Injectable } from '@nestjs/common';
import type { TeamId } from '../../../../kernel/principal.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import type { BillingCustomer, SyncedState } from '../domain/billing-customer.js';
import { BillingCustomerRepository } from '../domain/billing-customer.repository.js';
import type { CheckoutId, CustomerId, ProviderEvent } from '../domain/payment-provider.js';
import { BillingCustomerRowSchema } from './postgres-billing-customer.schema.js';

const COLUMNS = `customer_id AS "customerId", team_id AS "teamId", tier, state, ends_at AS "endsAt",
  team_gone_at AS "teamGoneAt", failures, version`;
/** Due at once by the clock of any process. */
const dueAtOnce = () => ({ version: () => 'version + 1', failures: 0, dueAt: () => `'-infinity'` });
/** Customers that one worker synchronizes at once, and per second: well below the limits of the provider. */
const BATCH = 10;
/** Longer than a call takes; a worker that has not finished by then has died. */
const LEASE_MS = 120_000;

@Injectable()
export class PostgresBillingCustomerRepository extends BillingCustomerRepository {
  constructor(private readonly work: PostgresUnitOfWork) {
    super();
  }

  findByTeam(teamId: TeamId): Promise<BillingCustomer | null> {
    return this.rows.findOneBy({ teamId });
  }

  async add(teamId: TeamId, customerId: CustomerId, dueAt: Date): Promise<CustomerId> {
    const insert = this.rows.createQueryBuilder().insert().values({ customerId, teamId, dueAt });
    await insert.orIgnore().updateEntity(false).execute();
    return (await this.findByTeam(teamId))?.customerId ?? customerId;
  }

  async addCheckout(customerId: CustomerId, checkout: CheckoutId): Promise<CheckoutId[]> {
    const [rows] = await this.work.manager.query<[{ open: CheckoutId[] }[], number]>(
      `UPDATE billing_customers SET open_checkouts = array_append(array_remove(open_checkouts, $2), $2)
        WHERE customer_id = $1 RETURNING open_checkouts AS open`,
      [customerId, checkout],
    );
    return rows[0]?.open.slice(0, -1) ?? [];
  }

  async deleteCheckout(customerId: CustomerId, checkout: CheckoutId): Promise<void> {
    await this.work.manager.query(
      'UPDATE billing_customers SET open_checkouts = array_remove(open_checkouts, $2) WHERE customer_id = $1',
      [customerId, checkout],
    );
  }

  async addEvent({ id, customerId }: ProviderEvent, now: Date): Promise<boolean> {
    if (customerId === null) return false;
    const kept = await this.work.manager.query<unknown[]>(
      `INSERT INTO billing_events (id, customer_id, received_at)
       SELECT $1, customer_id, $3 FROM billing_customers WHERE customer_id = $2
       ON CONFLICT DO NOTHING RETURNING id`,
      [id, customerId, now],
    );
    if (kept.length === 0) return false;
    await this.rows.update({ customerId }, dueAtOnce());
    return true;
  }

  async requestSync(teamId: TeamId): Promise<void> {
    await this.rows.update({ teamId }, dueAtOnce());
  }

  async claimDue(now: Date): Promise<BillingCustomer[]> {
    const [claimed] = await this.work.manager.query<[BillingCustomer[], number]>(
      `UPDATE billing_customers SET version = version + 1, due_at = $2
        WHERE customer_id IN (SELECT customer_id FROM billing_customers WHERE due_at <= $1
                               ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING ${COLUMNS}`,
      [now, new Date(now.getTime() + LEASE_MS)],
    );
    return claimed;
  }

  findForUpdate({ customerId, version }: BillingCustomer): Promise<BillingCustomer | null> {
    const lock = { mode: 'pessimistic_write' } as const;
    return this.rows.findOne({ where: { customerId, version }, lock });
  }

  async saveState(
    customerId: CustomerId,
    { tier, state, endsAt, teamGoneAt, dueAt }: SyncedState,
  ): Promise<void> {
    await this.rows.update({ customerId }, { tier, state, endsAt, teamGoneAt, dueAt, failures: 0 });
  }

  async delete(customerId: CustomerId): Promise<void> {
    await this.rows.delete({ customerId });
  }

  async defer({ customerId, version }: BillingCustomer, dueAt: Date): Promise<void> {
    await this.rows.update({ customerId, version }, { failures: () => 'failures + 1', dueAt });
  }

  private get rows() {
    return this.work.manager.getRepository(BillingCustomerRowSchema);
  }
}
