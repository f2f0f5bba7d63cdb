import type { Verdict } from '../../../kernel/verdict.js';

/** A verdict as parsed JSON. */
export type StoredVerdict = Omit<Verdict, 'verifiedAt'> & { verifiedAt: string };

export function fromStored(stored: StoredVerdict): Verdict {
  return { ...stored, verifiedAt: new Date(stored.verifiedAt) };
}
