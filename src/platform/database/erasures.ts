import { Injectable } from '@nestjs/common';
import { Lifecycle } from '../../kernel/lifecycle.js';
import { PostgresUnitOfWork } from './postgres-unit-of-work.js';
import { PURGE_RUN } from './purge.js';

/** Deletes rows of a team or webhook that is gone, at most `PURGE_RUN`. @returns how many. */
export type Eraser = (ownerId: string) => Promise<number>;

/** Owners that one run takes. */
const OWNERS = 20;
/** Until another worker may take the owner, and until it is looked at again. */
const AGAIN = `now() + interval '5 minutes'`;
/** Calls and checks that began before the end of their team may write until then. */
const WATCHED = `interval '1 hour'`;

/**
 * What belonged to deleted teams and webhooks. Nobody can see it from the moment of their deletion on;
 * the database writes down who was deleted, and a sweep deletes the rows in batches.
 */
@Injectable()
export class Erasures {
  /** By the prefix of the owner's id. */
  private readonly erasers = new Map<string, Eraser[]>();

  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** @param prefix of the owner's id: `team`, `whk`. Worker modules add theirs before the application has started. */
  add(prefix: string, ...erasers: readonly Eraser[]): void {
    this.erasers.set(prefix, [...(this.erasers.get(prefix) ?? []), ...erasers]);
  }

  /** @returns how many rows were deleted. @throws the first failure, after all owners were tried. */
  async run(): Promise<number> {
    const [claimed] = await this.work.manager.query<[{ owner: string }[], number]>(
      `UPDATE erasures SET due_at = ${AGAIN} WHERE owner = ANY (ARRAY(
         SELECT owner FROM erasures WHERE due_at <= now() ORDER BY due_at LIMIT ${OWNERS} FOR UPDATE SKIP LOCKED))
       RETURNING owner`,
    );
    const failures: unknown[] = [];
    let deleted = 0;
    for (const { owner } of claimed) {
      const [prefix = ''] = owner.split('_');
      const count = this.erase(owner, this.erasers.get(prefix) ?? []);
      deleted += await count.catch((error: unknown) => (failures.push(error), 0));
    }
    if (failures.length > 0) throw failures[0];
    return deleted;
  }

  private async erase(owner: string, erasers: readonly Eraser[]): Promise<number> {
    let deleted = 0;
    let isWhole = true;
    for (const eraser of erasers) {
      // Whoever comes next goes on.
      if (this.lifecycle.isDraining) return deleted;
      const count = await eraser(owner);
      deleted += count;
      if (count >= PURGE_RUN) isWhole = false;
    }
    if (!isWhole) await this.query('UPDATE erasures SET due_at = now() WHERE owner = $1', owner);
    else if (deleted === 0)
      await this.query(`DELETE FROM erasures WHERE owner = $1 AND deleted_at < now() - ${WATCHED}`, owner);
    return deleted;
  }

  private async query(statement: string, owner: string): Promise<void> {
    await this.work.manager.query(statement, [owner]);
  }
}
