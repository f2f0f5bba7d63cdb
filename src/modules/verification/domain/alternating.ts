/**
 * The items in turns by owner: the first of each owner, then the second of each, and so on. Within a turn
 * they keep their order.
 */
export function alternating<T>(items: readonly T[], ownerOf: (item: T) => string): T[] {
  const counts = new Map<string, number>();
  const numbered = items.map((item) => {
    const owner = ownerOf(item);
    const turn = counts.get(owner) ?? 0;
    counts.set(owner, turn + 1);
    return { item, turn };
  });
  return numbered.sort((a, b) => a.turn - b.turn).map(({ item }) => item);
}
