import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { workbook } from '../../../src/platform/http/downloads/workbook.js';
import type { Cell } from '../../../src/platform/http/downloads/workbook-files.js';

const OFFICE = 'http://schemas.openxmlformats.org';
const PACKAGE = `${OFFICE}/package/2006`;
const DOCUMENT = `${OFFICE}/officeDocument/2006/relationships`;
const SHEETS = `${OFFICE}/spreadsheetml/2006/main`;
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const relations = (kind: string, targets: readonly string[]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map((target, n) => `<Relationship Id="r${n + 1}" Type="${DOCUMENT}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`;

type Rows = readonly (readonly string[])[];

/** An XLSX file whose only sheet is this XML. */
export function aWorkbookWith(sheetData: string): Buffer {
  const files = unzipSync(aWorkbook([]));
  files['xl/worksheets/sheet1.xml'] = strToU8(
    `<worksheet xmlns="${SHEETS}"><sheetData>${sheetData}</sheetData></worksheet>`,
  );
  return Buffer.from(zipSync(files));
}

/** An XLSX file with one sheet of texts. At most 26 columns. */
export const aWorkbook = (rows: Rows): Buffer => aWorkbookOf({ People: rows });

/** An XLSX file with these sheets of texts (ECMA-376). At most 26 columns. */
export function aWorkbookOf(sheets: Readonly<Record<string, Rows>>): Buffer {
  const names = Object.keys(sheets);
  const types = names.map(
    (_, n) => `<Override PartName="/xl/worksheets/sheet${n + 1}.xml" ContentType="${TYPES}.worksheet+xml"/>`,
  );
  const listed = names.map(
    (name, n) => `<sheet name="${escaped(name)}" sheetId="${n + 1}" r:id="r${n + 1}"/>`,
  );
  const worksheets = Object.values(sheets).map((rows, n) => [
    `xl/worksheets/sheet${n + 1}.xml`,
    sheetOf(rows),
  ]);
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/>${types.join('')}</Types>`,
    '_rels/.rels': relations('officeDocument', ['xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${SHEETS}" xmlns:r="${DOCUMENT}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      'worksheet',
      names.map((_, n) => `worksheets/sheet${n + 1}.xml`),
    ),
    ...(Object.fromEntries(worksheets) as Record<string, string>),
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))),
  );
}

function sheetOf(rows: Rows): string {
  const cells = (row: readonly string[], y: number) =>
    row.map(
      (text, x) =>
        `<c r="${String.fromCharCode(65 + x)}${y + 1}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
    );
  const lines = rows.map((row, y) => `<row r="${y + 1}">${cells(row, y).join('')}</row>`);
  return `<worksheet xmlns="${SHEETS}"><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

/** An XLSX file with one sheet of texts, numbers, truth values and dates. */
export async function aTypedWorkbook(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
): Promise<Buffer> {
  async function* batches() {
    yield await Promise.resolve(rows);
  }
  const parts: Buffer[] = [];
  for await (const part of workbook(header, batches())) parts.push(part);
  return Buffer.concat(parts);
}

/** The same file, with a sheet that Excel does not show. */
export function hidingSheet(file: Buffer, name: string): Buffer {
  const files = unzipSync(file);
  const path = 'xl/workbook.xml';
  const text = strFromU8(files[path] ?? new Uint8Array());
  files[path] = strToU8(text.replace(`name="${name}"`, `name="${name}" state="hidden"`));
  return Buffer.from(zipSync(files));
}
