import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Events, type EventName, type EventOf } from '../../../kernel/events.js';
import { newId } from '../../../kernel/ids.js';
import { PostgresUnitOfWork } from '../transactions/postgres-unit-of-work.js';
import { OutboxRowSchema } from './postgres-outbox.schema.js';

export type PublishedEvent<Name extends EventName = EventName> = EventOf<Name> & {
  /** The same for every attempt. */
  readonly id: string;
  readonly occurredAt: Date;
};

/** Handles an event; may be called twice for the same one. */
export type Subscriber<Name extends EventName = EventName> = (event: PublishedEvent<Name>) => Promise<void>;

/** Events that are dispatched in one transaction. */
const BATCH = 50;
/** An event whose subscriber fails is retried with increasing delays, up to an hour. */
const BACKOFF_SQL = `now() + least(interval '1 hour', interval '5 seconds' * power(2, attempts))`;

/** A transactional outbox: events are inserted in the transaction of their cause, and dispatched after its commit. */
@Injectable()
export class Outbox extends Events {
  private readonly subscribers = new Map<EventName, readonly Subscriber[]>();

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

  /** Worker modules subscribe before the application has started. */
  subscribe<Name extends EventName>(type: Name, subscriber: Subscriber<Name>): void {
    // It is called with events of its type only.
    this.subscribers.set(type, [...this.subscribersOf(type), subscriber as Subscriber]);
  }

  /**
   * Dispatches published events to their subscribers. Any number of workers may call it concurrently.
   *
   * @param onFailure is called with the error of a subscriber; the event is dispatched again later.
   * @returns the number of dispatched events.
   */
  async relay(onFailure: (event: PublishedEvent, error: unknown) => void): Promise<number> {
    let dispatched = 0;
    for (let count = BATCH; count === BATCH;) {
      count = await this.work.run(async () => {
        const events = await this.due();
        for (const event of events) if (await this.dispatch(event, onFailure)) dispatched++;
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

  private subscribersOf(type: EventName): readonly Subscriber[] {
    return this.subscribers.get(type) ?? [];
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
    onFailure: (event: PublishedEvent, error: unknown) => void,
  ): Promise<boolean> {
    const { manager } = this.work;
    try {
      await this.work.runPart(async () => {
        for (const subscriber of this.subscribersOf(event.type)) await subscriber(event);
        await manager.query('UPDATE outbox SET dispatched_at = now() WHERE id = $1', [event.id]);
      });
      return true;
    } catch (error) {
      await manager.query(
        `UPDATE outbox SET attempts = attempts + 1, due_at = ${BACKOFF_SQL} WHERE id = $1`,
        [event.id],
      );
      onFailure(event, error);
      return false;
    }
  }
}
