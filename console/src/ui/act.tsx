import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';

/** A change, after which these queries are asked again. */
export function useAct<In = void, Out = unknown>(act: (input: In) => Promise<Out>, changed: QueryKey[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
