import { PROVIDERS } from '../../../../engine/providers/mail-exchange.js';
import { explainReply } from '../../../../engine/replies/reply-explanation.js';
import { MAILBOX_STATES } from '../../../../engine/replies/reply-model.js';
import { InvalidRequest } from '../../../../kernel/errors.js';
import { SMTP_CATEGORIES, SMTP_STAGES, type SmtpStage } from '../../../../kernel/verdict.js';
import {
  DecimalNumber,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Texts,
} from '../../../../platform/http/validation/fields.js';

const SEND_REPLY = 'Send one reply of a mail server, which begins with its code: 550 5.1.1 User unknown.';

@Schema('ReplyExplain')
export class ReplyExplainBody {
  @Text({
    min: 1,
    max: 2_000,
    message: SEND_REPLY,
    description: 'One reply, with its code; lines are separated by a line break or `|`.',
    example: '550 5.1.1 User unknown',
  })
  text: string;

  @OneOf(SMTP_STAGES, { default: 'rcpt', description: 'The command that it replies to.' })
  stage: SmtpStage = 'rcpt';

  @OneOf(PROVIDERS, {
    nullable: true,
    default: null,
    description: 'The mail provider, as in `dns.provider` of a verdict.',
  })
  provider: string | null = null;
}

const WEIGHT = { min: -100, max: 100, message: 'Send a number.' };

@Schema('ReplyWeights')
class WeightsResponse {
  @DecimalNumber(WEIGHT)
  absent: number;

  @DecimalNumber(WEIGHT)
  closed: number;

  @DecimalNumber(WEIGHT)
  full: number;

  @DecimalNumber(WEIGHT)
  none: number;
}

@Schema('ReplyFeature')
class FeatureResponse {
  @Text({ example: 'no user' })
  feature: string;

  @ObjectOf(() => WeightsResponse, { description: 'What it adds to each state of the mailbox.' })
  weight: WeightsResponse;
}

@Schema('ReplyExplanation')
export class ReplyExplanationResponse {
  @OneOf(SMTP_CATEGORIES, { description: '`smtp.category` of a verdict.' })
  category: string;

  @OneOf(['recipient', 'customer', 'sender'], {
    nullable: true,
    description:
      'Whom it is about: one recipient, one domain of the server, or the client; null: not stated.',
  })
  about: string | null;

  @OneOf(MAILBOX_STATES, { description: 'What it states about the mailbox; `none`: nothing.' })
  mailbox_state: string;

  @Text({ description: '`smtp.rule` of a verdict.', example: 'recipient5xx.mailbox_not_found' })
  rule: string;

  @ListOf(() => FeatureResponse, { description: 'Words and codes with their weights, the largest first.' })
  features: FeatureResponse[];

  @Texts({
    minItems: 0,
    maxItems: 80,
    maxLength: 40,
    message: 'Words.',
    description: 'Words that are not in the vocabulary: what they say is not known.',
  })
  unread: string[];
}

/** @throws InvalidRequest if the text is no reply. */
export function explanationOf(
  reply: Omit<Parameters<typeof explainReply>[0], 'recipient'>,
): ReplyExplanationResponse {
  const explanation = explainReply({ ...reply, recipient: '' });
  if (explanation === null) {
    const message = 'A reply begins with its code, as in 550 5.1.1 User unknown.';
    throw new InvalidRequest([{ pointer: '/text', code: 'invalid_format', message }]);
  }
  const { category, about, mailboxState, rule, features, unread } = explanation;
  return { category, about, mailbox_state: mailboxState, rule, features: [...features], unread: [...unread] };
}
