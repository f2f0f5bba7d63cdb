import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { QueryResult } from './query-result';
import { Pager, usePages } from './pager';
import { Table, styles } from './ui';

interface ResourceTableProps<Row> {
  /** Without the cursor. */
  queryKey: readonly string[];
  load: (query: { cursor?: string }) => Promise<{ data: Row[]; next_cursor: string | null }>;
  label: string;
  head: ReactNode[];
  /** Shown instead of a table without rows. */
  empty?: ReactNode;
  /** When to load the page again; false: not by itself. */
  pollMs?: (rows: Row[]) => number | false;
  /** A `tr` with a key. */
  children: (row: Row, rows: readonly Row[]) => ReactNode;
}

/** A table of a resource that the API returns in pages. */
export function ResourceTable<Row>(props: ResourceTableProps<Row>) {
  const { queryKey, load, label, head, empty, pollMs, children } = props;
  const { cursor, pager } = usePages(queryKey.join(' '));
  const query = useQuery({
    queryKey: [...queryKey, cursor],
    queryFn: () => load(cursor === null ? {} : { cursor }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && pollMs?.(state.data.data)) ?? false,
  });
  // The row that had the focus may be gone after a reload.
  const place = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  useEffect(() => {
    if (!hasFocus.current || document.activeElement !== document.body) return;
    const table = place.current?.querySelector<HTMLElement>('[role=group]');
    (table ?? document.getElementById('main'))?.focus();
  }, [query.data]);
  return (
    <div
      ref={place}
      className={styles.stack}
      onFocus={() => (hasFocus.current = true)}
      onBlur={({ relatedTarget }) => (hasFocus.current = relatedTarget === null)}
    >
      <QueryResult query={query}>
        {({ data: rows, next_cursor: next }) =>
          rows.length === 0 && cursor === null && empty !== undefined ? (
            empty
          ) : (
            <>
              <Table label={label} head={head}>
                {rows.map((row) => children(row, rows))}
              </Table>
              <Pager {...pager} next={next} />
            </>
          )
        }
      </QueryResult>
    </div>
  );
}
