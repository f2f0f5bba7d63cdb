import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';

/** A mutation that invalidates these queries. */
export function useApiMutation<In = void, Out = unknown>(
  call: (input: In) => Promise<Out>,
  changed: QueryKey[],
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => Promise.all(changed.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
