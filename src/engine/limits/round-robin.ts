/**
 * The items in round-robin order of their owners: the first of each owner, then the second of each, and so on.
 * Within a round they keep their order.
 */
export function roundRobin<T>(items: readonly T[], ownerOf: (item: T) => string): T[] {
  const counts = new Map<string, number>();
  const numbered = items.map((item) => {
    const owner = ownerOf(item);
    const round = counts.get(owner) ?? 0;
    counts.set(owner, round + 1);
    return { item, round };
  });
  return numbered.sort((a, b) => a.round - b.round).map(({ item }) => item);
}
