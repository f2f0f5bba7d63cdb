import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useTexts } from '../../../texts/texts';
import { styles } from '../../../ui/ui';
import { JobTable } from '../job-table';
import css from '../lists.module.css';
import { MAX_HELD, useHeldLists } from './use-held-lists';

/** More of them are folded. */
const FEW = 3;
/** From here on the limit is told, before a file is sent. */
const MANY = 8;
const PLACE = 'held';

/** How many lists wait for a start, where few more may. */
export function HeldLimit() {
  const t = useTexts(listPagesEn);
  const count = useHeldLists()?.length ?? 0;
  if (count < MANY) return null;
  const show = () => {
    const place = document.getElementById(PLACE);
    if (place instanceof HTMLDetailsElement) place.open = true;
    place?.scrollIntoView({ block: 'center' });
    place?.querySelector('summary')?.focus({ preventScroll: true });
  };
  return (
    <p role="status" className={count < MAX_HELD ? styles.muted : styles.error}>
      <span>
        {count < MAX_HELD ? t.held.many(count, MAX_HELD) : t.held.full(MAX_HELD)}{' '}
        <button type="button" className={css.link} onClick={show}>
          {t.held.show}
        </button>
      </span>
    </p>
  );
}

/** The lists that wait for a start, apart from those that were started. */
export function HeldLists() {
  const t = useTexts(listPagesEn);
  const held = useHeldLists();
  if (held === null || held.length === 0) return null;
  return (
    <details id={PLACE} open={held.length <= FEW} className={styles.stack}>
      <summary className={css.summary}>{t.held.group(held.length)}</summary>
      <JobTable jobs={held} label={t.held.group(held.length)} />
    </details>
  );
}
