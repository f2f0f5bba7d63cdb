import { useQuery } from '@tanstack/react-query';
import { api, data } from '../../api/client';

/** The ways to sign in besides a key; undefined: not known yet. */
export function useSignInOptions() {
  return useQuery({ queryKey: ['signin'], queryFn: () => data(api.GET('/signin')) }).data;
}
