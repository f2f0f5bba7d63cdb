import type { NotDialled } from '../limits/not-dialled.js';

interface Keyed {
  readonly key: string;
}

/**
 * The egresses in the order in which a domain uses them: rendezvous hashing. Every process gives the same
 * order, whatever the order of the list, so that a server that greylists sees one client. A new egress
 * becomes the first for its share of the domains, and the others keep theirs.
 */
export function egressOrder<E extends Keyed>(domain: string, egresses: readonly E[]): readonly E[] {
  if (egresses.length < 2) return egresses;
  const weight = ({ key }: E) => hash(`${key} ${domain.toLowerCase()}`);
  return egresses
    .map((egress) => ({ egress, weight: weight(egress) }))
    .sort((a, b) => b.weight - a.weight || (a.egress.key < b.egress.key ? -1 : 1))
    .map(({ egress }) => egress);
}

/** Why an egress should not be used. */
export type PauseCause = Extract<NotDialled, 'unreachable' | 'rejected'>;

/**
 * The egresses that may be used, in order: those that are not paused. If all are paused, they are used
 * nevertheless, so that rejections by some domains cannot stop all verification: first those that servers
 * reject, then those that reach no server.
 */
export function withoutPaused<E>(
  egresses: readonly E[],
  causeOf: (egress: E) => PauseCause | null,
): readonly E[] {
  const causes = new Map(egresses.map((egress) => [egress, causeOf(egress)]));
  for (const cause of [null, 'rejected'] as const) {
    const usable = egresses.filter((egress) => causes.get(egress) === cause);
    if (usable.length > 0) return usable;
  }
  return egresses;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a with the finalizer of MurmurHash3: names that differ in one digit must give unrelated weights. */
function hash(text: string): number {
  let h = FNV_OFFSET;
  for (let at = 0; at < text.length; at += 1) h = Math.imul(h ^ text.charCodeAt(at), FNV_PRIME);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
