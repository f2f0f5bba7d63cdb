import { useQuery } from '@tanstack/react-query';
import { api, data } from '../../../api/client';
import { useDiscarded } from './discarded';

/** Lists that may wait for a start at a time (`too_many_held_lists`). */
export const MAX_HELD = 10;

/** The lists of the team that wait for a start; null: not known yet. */
export function useHeldLists() {
  const query = { status: 'held' as const, limit: MAX_HELD };
  const held = useQuery({
    queryKey: ['jobs', 'held'],
    queryFn: ({ signal }) => data(api.GET('/v1/bulk-jobs', { params: { query }, signal })),
  });
  const discarded = useDiscarded();
  return held.data?.data.filter(({ id }) => !discarded.has(id)) ?? null;
}
