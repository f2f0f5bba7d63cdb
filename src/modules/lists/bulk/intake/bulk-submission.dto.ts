import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { MAX_AGE, UNIQUE_BY, type UniqueBy } from '../../../../kernel/list-files/list-format.js';
import { type Language, LANGUAGES } from '../../../../kernel/mail.js';
import {
  DisplayName,
  Flag,
  FlagParameter,
  NumberParameter,
  OneOf,
  Schema,
  Text,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';
import { CsvQuery } from '../../../../platform/list-files/csv.dto.js';
import { MAX_AGE_MEANS } from '../../../verification/verification/single/verify-request.dto.js';

const NOTIFY =
  'Send a mail in this language to the user of the key when the list is completed or has failed. Not for service keys, and only to a confirmed address.';

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

const UNIQUE =
  'What is verified and charged once: `address` (default) an address, in all of its spellings; `canonical` a mailbox, which all addresses with the same `canonical_email` have.';

/** The body as JSON. `jsonList` reads it as a stream and applies the same rules. */
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

  @WholeNumber({ optional: true, min: 0, max: MAX_AGE, description: MAX_AGE_MEANS })
  max_age?: number;

  @OneOf(LANGUAGES, { optional: true, nullable: true, description: NOTIFY, example: 'en' })
  notify?: Language | null;

  @OneOf(UNIQUE_BY, {
    optional: true,
    nullable: true,
    description: UNIQUE,
    example: 'canonical',
  })
  unique?: UniqueBy | null;
}

/** For CSV and NDJSON, which cannot contain them. Members of a JSON body take precedence. */
export class BulkQuery extends CsvQuery {
  @DisplayName({ optional: true, example: 'Newsletter, November' })
  name?: string;

  @FlagParameter({ description: 'Ignore stored facts and query the network.' })
  refresh = false;

  @NumberParameter({ optional: true, min: 0, max: MAX_AGE, of: 'of seconds', description: MAX_AGE_MEANS })
  max_age?: number;

  @FlagParameter({
    description:
      'Hold the list: its `preview` shows what it contains, and nothing is reserved, charged or sent to a mail server before `POST /v1/bulk-jobs/{id}/start`. Also for a tier without lists. A held list is deleted after 24 hours.',
  })
  hold = false;

  @OneOf(LANGUAGES, { optional: true, description: NOTIFY })
  notify?: Language;

  @OneOf(UNIQUE_BY, { optional: true, description: UNIQUE })
  unique?: UniqueBy;
}
