import { useRef, useState } from 'react';
import { useTexts } from '../texts/texts';
import { Button, styles } from './ui';

/** The pagination of a list: a cursor for each page before the current one. Another filter is another list. */
export function usePages(of: string) {
  const [pages, setPages] = useState<{ of: string; cursors: readonly string[] }>({ of, cursors: [] });
  const cursors = pages.of === of ? pages.cursors : [];
  return {
    cursor: cursors.at(-1) ?? null,
    pager: {
      isFirst: cursors.length === 0,
      onNext: (cursor: string) => setPages({ of, cursors: [...cursors, cursor] }),
      onPrevious: () => setPages({ of, cursors: cursors.slice(0, -1) }),
    },
  };
}

/**
 * The pagination of a list whose page is part of the address.
 *
 * @param cursor of the page that is shown; undefined: the first.
 * @param show opens a page as a new entry of the history.
 */
export function useAddressedPages(cursor: string | undefined, show: (cursor: string | undefined) => void) {
  /** How many pages back the history leads; after a reload or a link, none. */
  const opened = useRef(0);
  return {
    isFirst: cursor === undefined,
    onNext: (next: string) => {
      opened.current += 1;
      show(next);
    },
    onPrevious: () => {
      if (opened.current === 0) return show(undefined);
      opened.current -= 1;
      history.back();
    },
  };
}

export function Pager({
  isFirst,
  next,
  onNext,
  onPrevious,
}: {
  isFirst: boolean;
  next: string | null;
  onNext: (cursor: string) => void;
  onPrevious: () => void;
}) {
  const t = useTexts();
  if (isFirst && next === null) return null;
  return (
    <div className={styles.row}>
      <Button small disabled={isFirst} onClick={onPrevious}>
        ← {t.common.previous}
      </Button>
      <Button small disabled={next === null} onClick={() => next !== null && onNext(next)}>
        {t.common.next} →
      </Button>
    </div>
  );
}
