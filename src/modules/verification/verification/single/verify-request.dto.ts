import { MAX_AGE } from '../../../../kernel/list-files/list-format.js';
import {
  ListOf,
  DecimalNumber,
  Flag,
  FlagParameter,
  NumberParameter,
  Schema,
  SchemaWithOne,
  Text,
  Texts,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';
import { VerdictResponse } from './verification.dto.js';

export const MAX_AGE_MEANS =
  'Stored facts that are older are not used; in seconds. 0 is the same as `refresh`. A tier without `refresh` has a minimum.';

/** `refresh` is an age of 0. @returns null: neither was sent. */
export function maxAgeOf(sent: { refresh?: boolean; max_age?: number | undefined }): number | null {
  return sent.refresh === true ? 0 : (sent.max_age ?? null);
}

const SEND_ADDRESS = 'Send one address, such as ?email=jane@example.com.';

export class VerifyQuery {
  @Text({
    min: 1,
    max: 1_000,
    message: SEND_ADDRESS,
    repeated: 'Send only one address.',
    tooLong: 'An address has at most 254 characters; more than 1,000 are not accepted.',
    description: 'The address. An invalid address also gets a verdict.',
    example: 'jane@example.com',
  })
  email: string;

  @FlagParameter({
    description: 'Ignore stored facts and query the network; at most once per minute and address.',
  })
  refresh = false;

  @NumberParameter({ optional: true, min: 0, max: MAX_AGE, of: 'of seconds', description: MAX_AGE_MEANS })
  max_age?: number;

  @NumberParameter({
    min: 1,
    max: 30,
    fraction: true,
    of: 'of seconds',
    default: 10,
    description: 'Seconds after which the verdict is `unknown / timeout`; 1–30.',
  })
  timeout = 10;
}

/** Longer lists go to `POST /v1/verify/bulk`. */
const MAX_ADDRESSES = 25;
const MAX_LENGTH = 1_000;
const TOO_LONG = 'An address has at most 254 characters; send at most 1,000.';

@SchemaWithOne('VerifyRequest', { email: 'VerifyOne', emails: 'VerifyMany' })
export class VerifyRequestBody {
  @Text({
    optional: true,
    min: 1,
    max: MAX_LENGTH,
    message: 'Send one address, as in "email": "jane@example.com".',
    tooLong: TOO_LONG,
    description: 'The address. A text that is not an address gets a verdict too.',
    example: 'jane@example.com',
  })
  email?: string;

  @Texts({
    optional: true,
    maxItems: MAX_ADDRESSES,
    maxLength: MAX_LENGTH,
    message: `Send 1 to ${MAX_ADDRESSES} addresses of 1 to 1,000 characters; more are a list (POST /v1/verify/bulk).`,
    description: `Instead of \`email\`: up to ${MAX_ADDRESSES}, verified in one call and charged one by one.`,
    example: ['jane@example.com', 'joe@example.org'],
  })
  emails?: string[];

  @Flag({
    default: false,
    description: 'Query the network even if the result is stored; at most once a minute for an address.',
  })
  refresh = false;

  @WholeNumber({
    optional: true,
    min: 0,
    max: MAX_AGE,
    message: 'Send a whole number of seconds from 0 to 31,536,000.',
    description: MAX_AGE_MEANS,
  })
  max_age?: number;

  @DecimalNumber({
    default: 10,
    min: 1,
    max: 30,
    message: 'Send a number of seconds from 1 to 30.',
    description: 'Timeout of the whole call in seconds; addresses without a result are `unknown / timeout`.',
  })
  timeout = 10;

  @Flag({
    default: false,
    description: 'Return the SMTP dialogue in `smtp.dialogue`; with `email` only.',
  })
  dialogue = false;
}

@Schema('Verdicts')
export class VerdictsResponse {
  @ListOf(() => VerdictResponse, { description: 'In the order of `emails`.' })
  data: VerdictResponse[];
}
