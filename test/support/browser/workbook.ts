import { strToU8, zipSync } from 'fflate';

const OFFICE = 'http://schemas.openxmlformats.org';
const PACKAGE = `${OFFICE}/package/2006`;
const DOCUMENT = `${OFFICE}/officeDocument/2006/relationships`;
const SHEETS = `${OFFICE}/spreadsheetml/2006/main`;
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const relation = (kind: string, target: string) =>
  `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${DOCUMENT}/${kind}" Target="${target}"/></Relationships>`;

/** An XLSX file with one sheet of texts (ECMA-376). At most 26 columns. */
export function aWorkbook(rows: readonly (readonly string[])[]): Buffer {
  const cells = (row: readonly string[], y: number) =>
    row.map(
      (text, x) =>
        `<c r="${String.fromCharCode(65 + x)}${y + 1}" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
    );
  const lines = rows.map((row, y) => `<row r="${y + 1}">${cells(row, y).join('')}</row>`);
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${SHEETS}" xmlns:r="${DOCUMENT}"><sheets><sheet name="People" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${SHEETS}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
  };
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))),
  );
}
