import { Injectable } from '@nestjs/common';
import { Lifecycle } from '../../../kernel/service-state/lifecycle.js';
import { PostgresUnitOfWork } from '../transactions/postgres-unit-of-work.js';
import { PURGE_RUN } from '../transactions/purge.js';

/** Deletes rows of a deleted team or webhook, at most `PURGE_RUN`. @returns the number of deleted rows. */
type Eraser = (subject: string) => Promise<number>;

const BATCH = 20;
/** When another worker may claim the subject, and when the subject is checked again. */
const NEXT_DUE_AT = `now() + interval '5 minutes'`;
/** Requests and checks that started before the deletion may still write rows during this time. */
const RETENTION = `interval '1 hour'`;

/**
 * Deletes the rows of deleted teams and webhooks. The rows are not visible after the deletion of their
 * subject. A trigger records each deleted subject, and a scheduled task deletes the rows in batches.
 */
@Injectable()
export class Erasures {
  private readonly erasers = new Map<string, Eraser[]>();

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** Registers erasers before the application has started. @param prefix prefix of the subject's id: `team`, `whk`. */
  add(prefix: string, ...erasers: readonly Eraser[]): void {
    this.erasers.set(prefix, [...(this.erasers.get(prefix) ?? []), ...erasers]);
  }

  /** @returns the number of deleted rows. @throws the first error, after all subjects were processed. */
  async run(): Promise<number> {
    const [claimed] = await this.work.manager.query<[{ subject: string }[], number]>(
      `UPDATE erasures SET due_at = ${NEXT_DUE_AT} WHERE subject = ANY (ARRAY(
         SELECT subject FROM erasures WHERE due_at <= now() ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
       RETURNING subject`,
    );
    const errors: unknown[] = [];
    let deleted = 0;
    for (const { subject } of claimed) {
      const [prefix = ''] = subject.split('_');
      const count = this.erase(subject, this.erasers.get(prefix) ?? []);
      deleted += await count.catch((error: unknown) => (errors.push(error), 0));
    }
    if (errors.length > 0) throw errors[0];
    return deleted;
  }

  private async erase(subject: string, erasers: readonly Eraser[]): Promise<number> {
    let deleted = 0;
    let isComplete = true;
    for (const eraser of erasers) {
      // The next run continues.
      if (this.lifecycle.isDraining) return deleted;
      const count = await eraser(subject);
      deleted += count;
      if (count >= PURGE_RUN) isComplete = false;
    }
    const statement = isComplete
      ? `DELETE FROM erasures WHERE subject = $1 AND deleted_at < now() - ${RETENTION}`
      : 'UPDATE erasures SET due_at = now() WHERE subject = $1';
    if (!isComplete || deleted === 0) await this.work.manager.query(statement, [subject]);
    return deleted;
  }
}
