import { type CsvFormat, ENCODINGS, type ListEncoding } from '../../../../kernel/list-files/list-format.js';
import {
  Count,
  ListOf,
  OneOf,
  Schema,
  Text,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';

@Schema('RowLine')
class RowLineResponse {
  @Count('The `index` of a row.', { example: 0 })
  index: number;

  @WholeNumber({
    nullable: true,
    min: 1,
    description:
      'The line of the file where it begins, from 1; each row behind it begins one line later, up to the next entry. null: the lines of the rows from here on are not known.',
    example: 2,
  })
  line: number | null;
}

/** How a CSV was read. */
@Schema('CsvFormat')
export class CsvFormatResponse {
  @Text({ description: 'Between cells.', example: ';' })
  delimiter: string;

  @WholeNumber({
    nullable: true,
    min: 1,
    description: 'The line that names the columns, from 1; lines before it are no rows. null: none does.',
    example: 1,
  })
  header: number | null;

  @Text({
    description: 'The column with the addresses, by its name in the results; without a header `email`.',
    example: 'E-Mail',
  })
  column: string;

  @OneOf(ENCODINGS)
  encoding: ListEncoding;

  @Text({
    nullable: true,
    description:
      'Why it may be another encoding; null: no reason. CSV results have the bytes of the list then, JSON and workbooks one character of Windows-1252 for each byte.',
  })
  warning: string | null;

  @ListOf(() => RowLineResponse, {
    nullable: true,
    description:
      'Which lines the rows have: of the first row, and of each behind an empty line or a cell of several lines, at most 100; the next one has null. Empty for a run of a schedule, which has only some rows of its file. null: a job of an earlier version.',
  })
  lines: readonly RowLineResponse[] | null;
}

/** Jobs of earlier versions have less. */
export function toFormat(format: CsvFormat): CsvFormatResponse {
  return { ...format, warning: format.warning ?? null, lines: format.lines ?? null };
}
