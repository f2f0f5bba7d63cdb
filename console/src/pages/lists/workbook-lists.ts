import type { ColumnKind } from './new-list/workbook-cells';

const STORED = 'rcpt.workbooks';
/** Older ones are forgotten: their columns are texts then. */
const MAX_LISTS = 100;

/** Remembers in this browser that a list was a workbook, and what its columns are. */
export function rememberWorkbook(job: string, kinds: readonly ColumnKind[]): void {
  const others = stored().filter(([id]) => id !== job);
  localStorage.setItem(STORED, JSON.stringify([[job, kinds], ...others].slice(0, MAX_LISTS)));
}

/** The columns of a list that was a workbook; null: it was none, or another browser sent it. */
export function workbookOf(job: string): readonly ColumnKind[] | null {
  return stored().find(([id]) => id === job)?.[1] ?? null;
}

function stored(): [job: string, kinds: ColumnKind[]][] {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '[]') as [string, ColumnKind[]][];
  } catch {
    return [];
  }
}
