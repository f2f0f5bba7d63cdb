import { useQuery } from '@tanstack/react-query';
import { api, data } from '../../api/client';

/** Who can create a team; undefined: not known yet. */
export function useSignupMode() {
  return useQuery({ queryKey: ['signup'], queryFn: () => data(api.GET('/signup')) }).data?.mode;
}

/** The ways to sign in besides a key; undefined: not known yet. */
export function useSignInOptions() {
  return useQuery({ queryKey: ['signin'], queryFn: () => data(api.GET('/signin')) }).data;
}
