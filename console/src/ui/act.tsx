import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';

/** A mutation that invalidates these queries. */
export function useAct<In = void, Out = unknown>(act: (input: In) => Promise<Out>, changed: QueryKey[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
