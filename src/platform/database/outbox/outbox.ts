import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Events, type EventName, type EventOf } from '../../../kernel/events.js';
import { newId } from '../../../kernel/ids.js';
import type { EventSubscribers, PublishedEvent } from './event-subscribers.js';
import { OutboxRowSchema } from './postgres-outbox.schema.js';
import { PostgresUnitOfWork } from '../transactions/postgres-unit-of-work.js';

/** Events that are dispatched in one transaction. */
const BATCH = 50;
/** An event whose subscriber fails is retried with increasing delays, up to an hour. */
const BACKOFF_SQL = `now() + least(interval '1 hour', interval '5 seconds' * power(2, attempts))`;

/** A transactional outbox: events are inserted in the transaction of their cause, and dispatched after its commit. */
@Injectable()
export class Outbox extends Events {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly clock: Clock,
  ) {
    super();
  }

  async publish({ type, teamId, data }: EventOf<EventName>): Promise<void> {
    const event = { id: newId('evt'), type, teamId, data, occurredAt: this.clock.now() };
    await this.work.manager.insert(OutboxRowSchema, event);
  }

  /**
   * Dispatches published events to their subscribers. Any number of workers may call it concurrently.
   *
   * @param onFailure is called with the error of a subscriber; the event is dispatched again later.
   * @returns the number of dispatched events.
   */
  async relay(
    subscribers: EventSubscribers,
    onFailure: (event: PublishedEvent, error: unknown) => void,
  ): Promise<number> {
    let dispatched = 0;
    for (let count = BATCH; count === BATCH;) {
      count = await this.work.run(async () => {
        const events = await this.due();
        for (const event of events) if (await this.dispatch(event, subscribers, onFailure)) dispatched++;
        return events.length;
      });
    }
    return dispatched;
  }

  /** Age of the oldest undispatched event in seconds; 0 without one. */
  async lagSeconds(): Promise<number> {
    const [oldest] = await this.work.manager.query<{ occurredAt: Date | null }[]>(
      'SELECT min(occurred_at) AS "occurredAt" FROM outbox WHERE dispatched_at IS NULL',
    );
    if (!oldest?.occurredAt) return 0;
    return Math.max(0, this.clock.now().getTime() - oldest.occurredAt.getTime()) / 1000;
  }

  private due(): Promise<PublishedEvent[]> {
    return this.work.manager.query<PublishedEvent[]>(
      `SELECT id, type, team_id AS "teamId", data, occurred_at AS "occurredAt" FROM outbox
        WHERE dispatched_at IS NULL AND due_at <= now()
        ORDER BY occurred_at, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
    );
  }

  private async dispatch(
    event: PublishedEvent,
    subscribers: EventSubscribers,
    onFailure: (event: PublishedEvent, error: unknown) => void,
  ): Promise<boolean> {
    const { manager } = this.work;
    await manager.query('SAVEPOINT dispatch');
    try {
      for (const subscriber of subscribers.of(event.type)) await subscriber(event);
      await manager.query('UPDATE outbox SET dispatched_at = now() WHERE id = $1', [event.id]);
      return true;
    } catch (error) {
      await manager.query('ROLLBACK TO SAVEPOINT dispatch');
      await manager.query(
        `UPDATE outbox SET attempts = attempts + 1, due_at = ${BACKOFF_SQL} WHERE id = $1`,
        [event.id],
      );
      onFailure(event, error);
      return false;
    }
  }
}
