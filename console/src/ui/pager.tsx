import { useEffect, useState } from 'react';
import { useTexts } from '../texts/texts';
import { Button, styles } from './ui';

/** The pagination of a list: a cursor for each page before the current one. */
export function usePages(of: string) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  // Another filter is another list.
  useEffect(() => setCursors([]), [of]);
  return {
    cursor: cursors.at(-1) ?? null,
    pager: {
      isFirst: cursors.length === 0,
      onNext: (cursor: string) => setCursors([...cursors, cursor]),
      onPrevious: () => setCursors(cursors.slice(0, -1)),
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
