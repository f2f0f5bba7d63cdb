/** What became of the entries of a request. */
export interface Receipt {
  received: number;
  stored: number;
  duplicates: number;
  /** By the position of the entry, from 0. */
  ignored: { index: number; code: string; message: string }[];
}

export function emptyReceipt(): Receipt {
  return { received: 0, stored: 0, duplicates: 0, ignored: [] };
}
