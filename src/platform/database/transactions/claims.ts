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
