const CSV_HOW =
  'Save it as "CSV UTF-8" in the spreadsheet program, or upload it in the console, which reads it.';
const OLD_HOW =
  'Save it as "CSV UTF-8" in the spreadsheet program, and remove its password first if it has one.';
const ARCHIVE_HOW = 'Unpack it, and send the CSV in it.';

const EXCEL = `This is an Excel workbook. ${CSV_HOW}`;
const OLD_NAME = `A file named .xls is an Excel workbook of the old format, or a web page. ${CSV_HOW}`;
const OLD_EXCEL = `This is an Excel workbook of the old format (.xls), or one with a password. ${OLD_HOW}`;
const OPEN_DOCUMENT = 'This is an OpenDocument spreadsheet. Save it as CSV in UTF-8.';
const PDF = 'This is a PDF document. Send the list as CSV.';
const ZIP = `This is a ZIP archive. ${ARCHIVE_HOW}`;
/** Workbooks of some programs do not begin as those of Excel. */
const ZIP_OR_WORKBOOK =
  'This is a ZIP archive, or a workbook, which is one too. Save a workbook as "CSV UTF-8"; unpack an archive, and send the CSV in it.';

/** Files that people send as lists, by content type and by extension, with what to do instead. */
export const OTHER_FILES: Readonly<Record<string, string>> = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': EXCEL,
  'application/vnd.ms-excel.sheet.macroenabled.12': EXCEL,
  'application/vnd.ms-excel.sheet.binary.macroenabled.12': EXCEL,
  'application/vnd.oasis.opendocument.spreadsheet': OPEN_DOCUMENT,
  'application/pdf': PDF,
  'application/zip': ZIP,
  xlsx: EXCEL,
  xlsm: EXCEL,
  xlsb: EXCEL,
  xls: OLD_NAME,
  ods: OPEN_DOCUMENT,
  pdf: PDF,
  zip: ZIP,
  ...Object.fromEntries(
    ['vcf', 'ldif', 'html', 'htm', 'xml', 'rtf', 'mbox', 'yaml', 'yml', 'sql', 'md', 'doc', 'docx'].map(
      (extension) => [
        extension,
        `A file named .${extension} is no list. Save or export the addresses as CSV, and send that.`,
      ],
    ),
  ),
};

/** Bytes that `otherFileOf` needs. */
export const START_BYTES = 128;
/** Where a local header of a ZIP archive has the length of its file name, and the name (APPNOTE 4.3.7). */
const NAME_LENGTH = 26;
const NAME = 30;
const OFFICE_PARTS = /^(\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/)/;

/**
 * A file that is no text, by its first bytes.
 *
 * @returns a sentence that says what it is, and what to do; null: it may be text.
 */
export function otherFileOf(start: Buffer): string | null {
  const begins = (hex: string) => start.subarray(0, hex.length / 2).toString('hex') === hex;
  if (begins('504b0304')) return archiveOf(start);
  if (begins('d0cf11e0a1b11ae1')) return OLD_EXCEL;
  if (begins('25504446')) return PDF;
  if (begins('89504e47') || begins('ffd8ff') || begins('47494638'))
    return 'This is a picture. Send the list as CSV.';
  if (start.toString('latin1', 0, 15) === 'SQLite format 3')
    return 'This is a database (SQLite). Export the table as CSV, and send that.';
  if (begins('377abcaf271c') || begins('526172211a07') || begins('425a68') || begins('fd377a585a00'))
    return `This is a compressed archive. ${ARCHIVE_HOW}`;
  if (begins('1f8b')) return 'This is a gzip file. Send it with Content-Encoding: gzip.';
  return null;
}

function archiveOf(start: Buffer): string {
  if (start.length < NAME) return ZIP_OR_WORKBOOK;
  const end = NAME + start.readUInt16LE(NAME_LENGTH);
  const name = start.toString('latin1', NAME, end);
  if (OFFICE_PARTS.test(name)) return EXCEL;
  return name === 'mimetype' && start.includes('opendocument.spreadsheet', end)
    ? OPEN_DOCUMENT
    : ZIP_OR_WORKBOOK;
}
