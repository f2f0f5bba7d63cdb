import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  DisplayName,
  Flag,
  FlagParameter,
  OneOf,
  Schema,
  Text,
} from '../../platform/http/validation/fields.js';
import { ENCODINGS, type ListEncoding } from './domain/list-reader.js';

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

/** For CSV and NDJSON, which cannot contain them. Members of a JSON body take precedence. */
export class BulkQuery {
  @DisplayName({ optional: true, example: 'Newsletter, November' })
  name?: string;

  @FlagParameter({ description: 'Ignore stored facts and query the network.' })
  refresh = false;

  @Text({
    optional: true,
    min: 1,
    max: 200,
    message: 'Send the name or number of a column.',
    description:
      'The column of a CSV with the addresses, by its name or its number from 1; not needed if it is named `email`, `e-mail`, `email address` or `mail`, or is the only one of which most cells are addresses.',
    example: 'Contact',
  })
  email_column?: string;

  @FlagParameter({
    default: undefined,
    optional: true,
    description: 'Whether the first line of a CSV names the columns; detected if absent.',
  })
  header?: boolean;

  @OneOf(ENCODINGS, {
    optional: true,
    description:
      'The encoding of a CSV without a byte order mark. If absent, it is UTF-8, or Windows-1252 if the first character that is not ASCII is not UTF-8.',
  })
  encoding?: ListEncoding;
}
