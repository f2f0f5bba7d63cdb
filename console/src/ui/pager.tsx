import { useState } from 'react';
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
