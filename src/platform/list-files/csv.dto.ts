import {
  DelimiterParameter,
  FlagParameter,
  NumberParameter,
  OneOf,
  Text,
} from '../http/validation/fields.js';
import { ENCODINGS, type ListEncoding, type ListOptions } from '../../kernel/list-files/list-format.js';
import { MAX_HEADER_LINE } from '../../kernel/list-files/csv/csv-reading.js';
import { encodingOf } from './list-charset.js';

/** How a CSV is read; what is absent is found in its first hundred lines. */
export class CsvQuery {
  @Text({
    optional: true,
    min: 1,
    max: 200,
    message: 'Send the name or number of a column.',
    description:
      'The column of a CSV with the addresses, by its name or its number from 1. If absent, it is found by its name, in many languages, or as the only one of which most cells are addresses.',
    example: 'Contact',
  })
  email_column?: string;

  @FlagParameter({
    default: undefined,
    optional: true,
    description: 'Whether a line of a CSV names the columns; detected if absent.',
  })
  header?: boolean;

  @NumberParameter({
    min: 1,
    max: MAX_HEADER_LINE,
    optional: true,
    description: 'The line of a CSV that names the columns, from 1; lines before it are no rows.',
    example: 3,
  })
  header_line?: number;

  @DelimiterParameter()
  delimiter?: string;

  @FlagParameter({
    description:
      'Verify the first address of a cell that has more than one address, such as `Jane <jane@example.com>`, `mailto:jane@example.com` or `a@example.com ::: b@example.com`. The cell is returned unchanged, as another column.',
  })
  extract_address = false;

  @FlagParameter({
    default: true,
    description: 'Whether quotation marks enclose cells of a CSV; `false`: they are characters like others.',
  })
  quotes = true;

  @OneOf(ENCODINGS, {
    optional: true,
    description:
      'The encoding of a CSV without a byte order mark. If absent, it is UTF-8, or Windows-1252 if the first character that is not ASCII is not UTF-8.',
  })
  encoding?: ListEncoding;
}

/** @param charset that of the content type; null: none. */
export function optionsOf(query: CsvQuery, charset: string | null): ListOptions {
  const { email_column: column, header, header_line: line, delimiter, quotes } = query;
  const { extract_address: extracts } = query;
  const encoding = query.encoding ?? encodingOf(charset);
  return { column, header: line ?? header, delimiter, quotes, extracts, encoding };
}
