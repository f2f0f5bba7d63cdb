import { queryOptions } from '@tanstack/react-query';
import { api, data } from './client';

/** The plan of the team, and those on sale, in ascending order. */
export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: () => data(api.GET('/v1/billing/plans')),
});
