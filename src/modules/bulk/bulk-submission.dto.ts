import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  DisplayName,
  Flag,
  DelimiterParameter,
  FlagParameter,
  NumberParameter,
  OneOf,
  Schema,
  Text,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import { MAX_HEADER_LINE } from '../../kernel/text/csv/csv-reading.js';
import { encodingOf } from './domain/list-charset.js';
import { ENCODINGS, type ListEncoding, type ListOptions } from './domain/list-reader.js';

@Schema('BulkEntry')
class BulkEntry {
  @Text({ description: 'An invalid address also gets a verdict.', example: 'jane@example.com' })
  email: string;

  @Text({
    optional: true,
    nullable: true,
    max: 128,
    description: 'Returned with the result.',
    example: '42',
  })
  ref?: string | null;
}

/** The body as JSON. `ListReader` reads it as a stream and applies the same rules. */
@ApiExtraModels(BulkEntry)
@Schema('BulkVerifyRequest')
export class BulkVerifyRequest {
  @ApiProperty({
    type: 'array',
    minItems: 1,
    items: {
      title: 'BulkItem',
      anyOf: [
        {
          type: 'string',
          description: 'An invalid address also gets a verdict.',
          example: 'jane@example.com',
        },
        { $ref: getSchemaPath('BulkEntry') },
      ],
    },
  })
  emails: (string | BulkEntry)[];

  @DisplayName({ optional: true, nullable: true, example: 'Newsletter, November' })
  name?: string | null;

  @Flag({ optional: true, description: 'Ignore stored facts and query the network.' })
  refresh?: boolean;
}

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
}

/** For CSV and NDJSON, which cannot contain them. Members of a JSON body take precedence. */
export class BulkQuery extends CsvQuery {
  @DisplayName({ optional: true, example: 'Newsletter, November' })
  name?: string;

  @FlagParameter({ description: 'Ignore stored facts and query the network.' })
  refresh = false;
}

/** @param charset that of the content type; null: none. */
export function optionsOf(query: CsvQuery, charset: string | null): ListOptions {
  const { email_column: column, header, header_line: line, delimiter, quotes } = query;
  const { extract_address: extracts } = query;
  const encoding = query.encoding ?? encodingOf(charset);
  return { column, header: line ?? header, delimiter, quotes, extracts, encoding };
}
