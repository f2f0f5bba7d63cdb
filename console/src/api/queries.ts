import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { api, data, type Role } from './client';
import { isServiceLost, subscribe } from './connection';
import { isPassing } from './problem';
import { useKey } from './session';

const FRESH_MS = 10_000;
const MAX_RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
      retryDelay: (failures) => 500 * 2 ** failures,
      // `fetch` detects it. Without a network a browser reports even a service on this machine as offline.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

// Repeats the queries that failed while the service was unreachable.
subscribe(() => {
  if (!isServiceLost()) void queryClient.refetchQueries({ type: 'active' });
});

/** Whose key it is; not only of the key of this tab. */
export const meQuery = (key: string | null) =>
  queryOptions({
    // The key itself and not a digest, since it stays in memory.
    queryKey: ['me', key],
    queryFn: () => data(api.GET('/v1/me', { headers: { Authorization: `Bearer ${key}` } })),
    enabled: key !== null,
  });

export function useMe() {
  return useQuery(meQuery(useKey())).data ?? null;
}

const RANKS: Record<Role, number> = { member: 0, admin: 1, owner: 2 };

/** Whether the key may do what this role may. */
export function useMay(role: Role): boolean {
  const me = useMe();
  return me !== null && RANKS[me.role] >= RANKS[role];
}

/** A key for tests may change only webhooks and lists. */
export function useIsLive(): boolean {
  return useMe()?.key.mode === 'live';
}

export const usageQuery = queryOptions({
  queryKey: ['usage'],
  queryFn: () => data(api.GET('/v1/usage')),
});

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['job', id],
    queryFn: () => data(api.GET('/v1/bulk-jobs/{id}', { params: { path: { id } } })),
  });
