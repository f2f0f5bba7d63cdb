import { useQuery } from '@tanstack/react-query';
import type { BulkJob } from '../../../api/client';
import { ApiError } from '../../../api/problem';
import { usageQuery, useIsLive } from '../../../api/queries';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../../texts/texts';

/**
 * Why a list is not taken or not started, in the reader's language. Undefined: the API says it.
 *
 * @param job that was to be started.
 */
export function useRefusal(error: Error | null, job?: Pick<BulkJob, 'unique'>): string | undefined {
  const t = useTexts(listPagesEn);
  const { number } = useFormats();
  const isLive = useIsLive();
  const left = useQuery(usageQuery).data?.quota.remaining;
  if (!(error instanceof ApiError)) return undefined;
  const { refused } = t.held;
  const { limit, tier, feature } = error.problem;
  switch (error.code) {
    case 'upgrade_required':
      return feature === 'bulk'
        ? `${t.lists.notIncluded(String(tier))}.`
        : t.lists.refreshNotIncluded(String(tier));
    case 'bulk_too_large':
      return t.lists.tooManyRows(number(Number(limit)));
    case 'daily_quota_exceeded':
      return job === undefined ? undefined : refused.quota(number(job.unique), number(left ?? 0));
    case 'rate_limited':
      return isLive ? '' : refused.isTested;
    case 'too_many_held_lists':
      return refused.tooMany(number(Number(limit)));
    case 'not_found':
      return refused.gone;
    case 'queue_full':
      return refused.queueFull;
  }
  return undefined;
}
