import { useQuery } from '@tanstack/react-query';
import { api, data } from '../../api/client';

/** Who can create a team; undefined: not known yet. */
export function useSignupMode() {
  return useQuery({ queryKey: ['signup'], queryFn: () => data(api.GET('/signup')) }).data?.mode;
}

const ONLY_KEYS = { by_mail: false, oidc: false };

/** The ways to sign in besides a key; undefined: not known yet. A key works also where they cannot be read. */
export function useSignInOptions() {
  const { data: options, isPending } = useQuery({
    queryKey: ['signin'],
    queryFn: () => data(api.GET('/signin')),
  });
  return options ?? (isPending ? undefined : ONLY_KEYS);
}
