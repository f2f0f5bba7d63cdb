import { useQuery } from '@tanstack/react-query';
import { usageQuery, useIsLive, useMe } from '../../../api/queries';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../../texts/texts';
import { styles } from '../../../ui/ui';
import css from '../lists.module.css';
import { MAX_CELLS, type ColumnCount } from './count-column';
import type { TableFile } from './table-file';

/** What the list will cost. @param count null: it is being counted. */
export function ListCost({ count }: { count: ColumnCount | null }) {
  const t = useTexts(listPagesEn);
  const { number } = useFormats();
  const isLive = useIsLive();
  const remaining = useQuery(usageQuery).data?.quota.remaining ?? null;
  if (count === null) return <p className={styles.muted}>{t.lists.reading}</p>;
  if (count.addresses === 0) return <p>{t.lists.noAddresses}</p>;
  const isTooMuch = isLive && remaining !== null && count.distinct > remaining;
  const again = count.addresses - count.distinct;
  const notes = [
    count.named > 0 && t.kept.named(number(count.named)),
    count.several > 0 && t.kept.several(number(count.several)),
    count.rows > count.addresses && t.kept.emptyCells(number(count.rows - count.addresses)),
    again > 0 && t.kept.again(number(again)),
  ].filter((note) => note !== false);
  return (
    <div>
      <p>
        <strong>{t.lists.cost(number(count.rows), number(count.distinct))}</strong>{' '}
        {isLive && remaining !== null && !isTooMuch && t.lists.remaining(number(remaining))}
      </p>
      {notes.length > 0 && (
        <ul className={css.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {isTooMuch && <p role="alert">{t.lists.tooMany(number(remaining))}</p>}
      <p className={styles.muted}>{isLive ? t.lists.costHint : t.lists.costTest}</p>
    </div>
  );
}

/** Why the service would refuse the list; empty: it would not. */
export function useRefusals(table: TableFile, count: ColumnCount | null, keepsOthers: boolean): string[] {
  const t = useTexts(listPagesEn);
  const { number } = useFormats();
  const me = useMe();
  if (count === null) return [];
  const refusals: string[] = [];
  // Other columns that are not sent may be of any length.
  if (count.refused !== null && !keepsOthers) {
    const { line, column } = count.refused;
    refusals.push(
      column === null
        ? t.lists.tooManyCells(line, MAX_CELLS)
        : t.lists.tooLong(line, table.columns[column] ?? ''),
    );
  }
  // A tier without lists may look.
  if (me !== null && me.bulk_limit > 0 && count.rows > me.bulk_limit)
    refusals.push(t.lists.tooManyRows(number(me.bulk_limit)));
  if (count.openQuote) refusals.push(t.lists.openQuote(count.openQuote));
  return refusals;
}
