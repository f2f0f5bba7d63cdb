import type { BulkJob } from '../../api/client';
import { shortReasonsEn } from '../../texts/lists/short-reasons.en';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../texts/texts';
import { statusOfReason } from './colors';
import css from './lists.module.css';
import { verdictsOf } from './results';

/** What a list means for who wants to mail it: the first sentence of its page. */
export function Headline({ job }: { job: BulkJob }) {
  const t = useTexts(listPagesEn);
  const { shortReason } = useTexts(shortReasonsEn);
  const { number } = useFormats();
  if (verdictsOf(job) === 0) return null;
  const { deliverable = 0, risky = 0 } = job.by_status;
  const [reason, rows] = mostFrequent(job);
  const why = shortReason[reason] ?? reason.replaceAll('_', ' ');
  return (
    <p className={css.headline}>
      {t.job.canBeMailed(number(deliverable), number(verdictsOf(job)))}{' '}
      {risky > 0 && t.job.areRisky(number(risky), why, rows === risky)}
    </p>
  );
}

/** The reason of the most risky rows, and how many they are. */
function mostFrequent({ by_reason: byReason }: BulkJob): [reason: string, rows: number] {
  const risky = Object.entries(byReason).filter(([reason]) => statusOfReason(reason) === 'risky');
  return risky.reduce<[string, number]>(
    (most, [reason, rows = 0]) => (rows > most[1] ? [reason, rows] : most),
    ['', 0],
  );
}
