import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Page, PageRequest } from '../../../kernel/page.js';

/** The columns of the order: a time, and an id that distinguishes rows with the same time. */
interface Keyset<Row> {
  at: keyof Row & string;
  id: keyof Row & string;
}

/**
 * A page of the rows of the query, newest first. It starts after the last row of the previous page, so that an
 * index finds it, whatever its number. One row more than the page shows whether another follows, without a count.
 */
export async function keysetPage<Row extends ObjectLiteral>(
  query: SelectQueryBuilder<Row>,
  { limit, after }: PageRequest,
  { at, id }: Keyset<Row> = { at: 'createdAt', id: 'id' },
): Promise<Page<Row>> {
  const [time, tie] = [`${query.alias}.${at}`, `${query.alias}.${id}`];
  if (after !== null)
    query.andWhere(`(${time}, ${tie}) < (:afterTime, :afterId)`, { afterTime: after.at, afterId: after.id });
  const found = await query
    .orderBy({ [time]: 'DESC', [tie]: 'DESC' })
    .limit(limit + 1)
    .getMany();
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const next =
    found.length > limit && last !== undefined ? { at: last[at] as Date, id: last[id] as string } : null;
  return { items, next };
}
