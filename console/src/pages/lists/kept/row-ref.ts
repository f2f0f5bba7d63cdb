const REF = /^console-([0-9a-f]{32})-(\d{1,9})$/;

/** The `ref` of a row whose other columns stay in the browser. @param row of the sheet, from 1. */
export const refOf = (upload: string, row: number) => `console-${upload}-${row}`;

/** @returns null: not a `ref` of `refOf`. */
export function parseRef(ref: unknown): { upload: string; row: number } | null {
  const [, upload, row] = (typeof ref === 'string' && REF.exec(ref)) || [];
  return upload === undefined ? null : { upload, row: Number(row) };
}
