import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Clock } from '../../../../kernel/clock.js';
import { isId, newId } from '../../../../kernel/ids.js';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { TeamId } from '../../../../kernel/principal.js';
import {
  claimFirst,
  FREE,
  HELD,
  leasedFor,
  nextFree,
} from '../../../../platform/database/transactions/claims.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresTeamWork } from '../../../../platform/database/transactions/postgres-team-work.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import type {
  Attempt,
  Delivery,
  DeliveryFilter,
  DeliverySummary,
  LeasedDelivery,
  EventToDeliver,
  DeliveryStep,
} from '../domain/delivery.js';
import { DeliveryRepository } from '../domain/delivery.repository.js';
import { MAX_DELIVERIES, type WebhookId } from '../domain/webhook.js';
import { openSecrets, type SealedSecret } from './sealed-secrets.js';
import { DeliveryRowSchema } from './postgres-delivery.schema.js';

const LEASE_SECONDS = 60;
/** Maximum number of claimed deliveries of one webhook, and about that of one team, over all processes. */
const MAX_HELD = 4;
const MAX_HELD_BY_TEAM = 16;
const CANDIDATES = 20;
const KEPT_ATTEMPTS = 20;
const DELETED_AT_ONCE = 5_000;

const DUE = `status = 'pending' AND due_at <= $1`;
const WAITING = `${DUE} AND ${FREE}`;

/** Claimed deliveries are few, so they can be counted; waiting ones are not counted. */
const WHOSE_TURN = `
  WITH held AS (
    SELECT w.id, count(*) AS deliveries
      FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
     WHERE ${HELD} AND w.team_id = $2 GROUP BY w.id
  )
  SELECT w.id FROM webhooks w LEFT JOIN held USING (id)
   WHERE w.team_id = $2 AND coalesce(held.deliveries, 0) < ${MAX_HELD}
     AND coalesce((SELECT sum(deliveries) FROM held), 0) < ${MAX_HELD_BY_TEAM}
     AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND ${WAITING})
   ORDER BY coalesce(held.deliveries, 0), random() LIMIT ${CANDIDATES}`;

const ROWS = {
  table: 'webhook_deliveries',
  key: ['id'],
  leaseSeconds: LEASE_SECONDS,
  // Attempts are recorded with their results.
  attempts: null,
  waitingTeams: `
    SELECT w.team_id FROM webhooks w
     WHERE EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND ${WAITING})`,
  claims: null,
};

/**
 * Counts again under the lock of the webhook. Asynchronous commit: after a crash of the database the
 * delivery is claimed again, and sent twice.
 */
const CLAIM = `
  WITH claimed AS (
    UPDATE webhook_deliveries SET lease = $3, leased_until = ${leasedFor(LEASE_SECONDS)}
     WHERE id = (${nextFree('webhook_deliveries', 'id', `webhook_id = $2 AND ${DUE}`, 'due_at')})
       AND (SELECT count(*) FROM webhook_deliveries WHERE webhook_id = $2 AND ${HELD}) < ${MAX_HELD}
    RETURNING *
  )
  SELECT set_config('synchronous_commit', 'off', true), d.id, d.lease, d.webhook_id AS "webhookId", w.url, w.secrets, d.tries,
         d.event_id AS "eventId", d.type, d.data, d.occurred_at AS "occurredAt"
    FROM claimed d JOIN webhooks w ON w.id = d.webhook_id`;

/** Of the attempts before a new one, only the first keeps its excerpt. */
const CLEARED = `CASE WHEN jsonb_array_length(attempts) < 2 THEN attempts
  ELSE jsonb_set(attempts, '{-1,excerpt}', 'null') END`;

/** Ended deliveries beyond the latest of each webhook. Another worker may delete them too. */
const SURPLUS = `
  DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(
    SELECT id FROM webhook_deliveries WHERE id = ANY (ARRAY(
      SELECT old.id FROM webhooks w CROSS JOIN LATERAL (
        SELECT id FROM webhook_deliveries WHERE webhook_id = w.id AND status <> 'pending'
         ORDER BY created_at DESC, id DESC OFFSET $1
      ) old LIMIT $2))
     ORDER BY id FOR UPDATE SKIP LOCKED))`;
/** Webhooks of $1 with more than $2 waiting deliveries: as many entries of the index are read. */
const OVERLOADED = `
  SELECT w.id FROM unnest($1::text[]) AS w (id)
   WHERE EXISTS (SELECT FROM webhook_deliveries WHERE webhook_id = w.id AND status = 'pending' OFFSET $2)`;

/** As many deliveries as are read for each webhook. */
const SUMMARIZED = 100;
const SUMMARY = `
  SELECT w.id, max(d.created_at) AS "lastAt",
         (count(*) FILTER (WHERE d.status = 'succeeded'))::int AS succeeded,
         (count(*) FILTER (WHERE d.status = 'failed'))::int AS failed,
         (count(*) FILTER (WHERE d.status = 'pending' AND d.attempts <> '[]'))::int AS retrying
    FROM unnest($1::text[]) AS w (id) CROSS JOIN LATERAL (
      SELECT created_at, status, attempts FROM webhook_deliveries WHERE webhook_id = w.id
       ORDER BY created_at DESC, id DESC LIMIT ${SUMMARIZED}
    ) d GROUP BY w.id`;

/** Failed deliveries of $1 since $2. The number of those that wait is bounded, because each call of a team can add some. */
const REQUEUED = `
  WITH requeued AS (
    UPDATE webhook_deliveries SET status = 'pending', tries = $3, due_at = $4
     WHERE id = ANY (ARRAY(
       SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'failed' AND created_at >= $2
        ORDER BY created_at, id
        LIMIT greatest(0, $5 - (SELECT count(*) FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending'))))
    RETURNING id
  ) SELECT id FROM requeued`;

type ClaimedRow = Omit<LeasedDelivery, 'secrets'> & { secrets: SealedSecret[] };

@Injectable()
export class PostgresDeliveryRepository
  extends PostgresTeamWork<LeasedDelivery>
  implements DeliveryRepository
{
  constructor(
    work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {
    super(work, ROWS);
  }

  async add(webhooks: readonly WebhookId[], event: EventToDeliver, now: Date): Promise<string[]> {
    const { eventId, type, data, occurredAt } = event;
    return this.ids(
      `INSERT INTO webhook_deliveries
              (id, webhook_id, event_id, type, data, occurred_at, created_at, due_at, status)
       SELECT made.id, w.id, $3, $4, $5::jsonb, $6::timestamptz, $7::timestamptz, $7::timestamptz, 'pending'
         FROM unnest($1::text[], $2::text[]) AS made (id, webhook_id)
         -- There is no foreign key: a webhook that is being deleted gets no delivery that would be left behind.
         JOIN webhooks w ON w.id = made.webhook_id FOR KEY SHARE OF w
       ON CONFLICT (webhook_id, event_id) DO NOTHING RETURNING id`,
      [webhooks.map(() => newId('dlv')), webhooks, eventId, type, JSON.stringify(data), occurredAt, now],
    );
  }

  async find(webhookId: WebhookId, id: string): Promise<Delivery | null> {
    return isId('dlv', id) ? this.rows.findOneBy({ id, webhookId }) : null;
  }

  list(
    webhookId: WebhookId,
    { status, type, from, to }: DeliveryFilter,
    page: PageRequest,
  ): Promise<Page<Delivery>> {
    const rows = this.rows.createQueryBuilder('delivery').where({
      webhookId,
      ...(status !== null && { status }),
      ...(type !== null && { type }),
    });
    if (from !== null) rows.andWhere('delivery.createdAt >= :from', { from });
    if (to !== null) rows.andWhere('delivery.createdAt < :to', { to });
    return keysetPage(rows, page);
  }

  async summarize(webhooks: readonly WebhookId[]): Promise<ReadonlyMap<WebhookId, DeliverySummary>> {
    const found = await this.query<DeliverySummary & { id: WebhookId }>(SUMMARY, [webhooks]);
    return new Map(found.map(({ id, ...summary }) => [id, summary]));
  }

  async requeue(id: string, tries: number | null, now: Date): Promise<void> {
    await this.rows.update({ id }, { status: 'pending', dueAt: now, ...(tries !== null && { tries }) });
  }

  async requeueFailed(webhook: WebhookId, since: Date, tries: number, now: Date): Promise<number> {
    const requeued = await this.ids(REQUEUED, [webhook, since, tries, now, MAX_DELIVERIES]);
    return requeued.length;
  }

  async failPending(webhook: WebhookId): Promise<void> {
    const pending = { webhookId: webhook, status: 'pending' } as const;
    const leasedUntil = () => `'-infinity'`;
    await this.rows.update(pending, { status: 'failed', dueAt: null, lease: null, leasedUntil });
  }

  override listWaitingTeams(): Promise<TeamId[]> {
    return this.waitingTeamsWith([this.clock.now()]);
  }

  protected override keyOf({ id }: LeasedDelivery): readonly unknown[] {
    return [id];
  }

  protected override async claimNext(team: TeamId): Promise<LeasedDelivery | null> {
    const [now, lease] = [this.clock.now(), randomUUID()];
    return claimFirst(await this.ids(WHOSE_TURN, [now, team]), async (webhook) => {
      const [free] = await this.ids('SELECT id FROM webhooks WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED', [
        webhook,
      ]);
      if (free === undefined) return null;
      const [claimed] = await this.query<ClaimedRow>(CLAIM, [now, webhook, lease]);
      return claimed === undefined ? null : { ...claimed, secrets: openSecrets(this.keys, claimed.secrets) };
    });
  }

  async addAttempt({ id, lease }: LeasedDelivery, attempt: Attempt, step: DeliveryStep): Promise<boolean> {
    const recorded = await this.ids(
      `WITH recorded AS (
         UPDATE webhook_deliveries
            SET status = $3, tries = $4, due_at = $5, lease = NULL, leased_until = '-infinity',
                attempts = CASE WHEN jsonb_array_length(attempts) < ${KEPT_ATTEMPTS} THEN ${CLEARED}
                                ELSE ${CLEARED} - 0 END || $6::jsonb
          WHERE id = $1 AND lease = $2 RETURNING id
       ) SELECT id FROM recorded`,
      [id, lease, step.status, step.tries, step.dueAt, JSON.stringify([attempt])],
    );
    return recorded.length > 0;
  }

  listOverloaded(webhooks: readonly WebhookId[]): Promise<WebhookId[]> {
    return this.ids(OVERLOADED, [webhooks, MAX_DELIVERIES]);
  }

  async deleteSurplus(): Promise<number> {
    const [, count] = await this.work.manager.query<[unknown, number]>(SURPLUS, [
      MAX_DELIVERIES,
      DELETED_AT_ONCE,
    ]);
    return count;
  }

  private get rows() {
    return this.work.manager.getRepository(DeliveryRowSchema);
  }

  private async ids(statement: string, values: unknown[]): Promise<string[]> {
    return (await this.query<{ id: string }>(statement, values)).map(({ id }) => id);
  }
}
