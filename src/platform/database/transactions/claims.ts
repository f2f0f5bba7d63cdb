import type { EntityManager } from 'typeorm';
import type { TeamId } from '../../../kernel/principal.js';

/**
 * SQL of claims: a row with `lease` and `leased_until` belongs to one process until that time, by the clock of
 * the database, which all processes share.
 */
export const FREE = 'leased_until <= now()';
export const HELD = 'lease IS NOT NULL AND leased_until > now()';

export function leasedFor(seconds: number): string {
  return `now() + interval '${seconds} seconds'`;
}

/** The first free row of a table that meets the condition; rows that another process claims are skipped. */
export function nextFree(table: string, key: string, where: string, orderBy: string): string {
  return `SELECT ${key} FROM ${table} WHERE ${where} AND ${FREE} ORDER BY ${orderBy} LIMIT 1 FOR UPDATE SKIP LOCKED`;
}

/**
 * Lets one claim of the team at a time read this table, until the open unit of work ends. A statement that counts
 * claims sees only those that are committed: without the lock, two processes would both take the last place.
 */
export async function lockClaims(manager: EntityManager, table: string, team: TeamId): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`claims ${table} ${team}`]);
}

/** Tries the holders of rows in order, because another process can claim the last row of one in between. */
export async function claimFirst<Holder, Claimed>(
  holders: readonly Holder[],
  claim: (holder: Holder) => Promise<Claimed | null>,
): Promise<Claimed | null> {
  for (const holder of holders) {
    const claimed = await claim(holder);
    if (claimed !== null) return claimed;
  }
  return null;
}
