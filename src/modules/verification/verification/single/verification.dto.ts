import {
  DECISIONS,
  REASONS,
  SMTP_CATEGORIES,
  SMTP_STAGES,
  STATUSES,
  type Verdict,
} from '../../../../kernel/verdict.js';
import {
  Count,
  Flag,
  ListOf,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Time,
  WholeNumber,
} from '../../../../platform/http/validation/fields.js';
import { Known, VerdictDns } from './verdict-dns.dto.js';
import { EstimateResponse, OutcomeResponse, toResponse as toOutcome } from '../../outcomes/outcomes.dto.js';
import { TRANSCRIPT_SOURCES, type TranscriptLine } from '../../../../engine/smtp/smtp-transcript.js';
import { verdictInJson } from '../../../../engine/verdict-in-json.js';

@Schema('VerdictChecks')
export class VerdictChecks {
  @Flag({ description: 'The domain belongs to a provider of disposable mailboxes.' })
  disposable: boolean;

  @Flag({ description: 'The domain forwards mail to another mailbox (a privacy relay).' })
  privacy_relay: boolean;

  @Flag({ description: 'The local part names a role, not a person.' })
  role: boolean;

  @Flag({ description: 'The domain belongs to a free mailbox provider.' })
  free: boolean;

  @Flag({ description: 'The local part has a tag, such as jane+news.' })
  subaddress: boolean;

  @Flag({ description: 'The local part is a no-reply name.' })
  no_reply: boolean;

  @Known('The domain accepts mail for every local part.', false)
  catch_all: boolean | null;

  @Known('The mailbox is full.')
  mailbox_full: boolean | null;

  @Known('The mailbox is disabled.')
  disabled: boolean | null;

  @Known('The server accepts non-ASCII addresses (RFC 6531).')
  smtputf8: boolean | null;
}

@Schema('SmtpDialogueLine')
class SmtpDialogueLine {
  @OneOf(TRANSCRIPT_SOURCES, { description: '`connection`: `text` is the host that is contacted next.' })
  source: TranscriptLine['source'];

  @Text({ description: 'At most 200 characters.', example: 'RCPT TO:<jane@example.com>' })
  text: string;
}

const DIALLED = 'null: no connection was made, because a circuit breaker is open (`attempts` is 0).';

type SmtpEvidence = NonNullable<Verdict['smtp']>;

@Schema('VerdictSmtp')
class VerdictSmtp {
  @ListOf(() => SmtpDialogueLine, {
    optional: true,
    description:
      'Only if requested with `dialogue`: at most 40 lines. Empty: no server was contacted, as for a cached verdict.',
  })
  dialogue?: SmtpDialogueLine[];

  @OneOf(SMTP_STAGES, { nullable: true, description: DIALLED, example: 'rcpt' })
  stage: SmtpEvidence['stage'];

  @WholeNumber({ nullable: true, example: 250 })
  code: number | null;

  @Text({ nullable: true, example: '2.1.5' })
  enhanced_code: string | null;

  @OneOf(SMTP_CATEGORIES, { nullable: true, example: 'accepted' })
  category: SmtpEvidence['category'];

  @Text({ nullable: true, description: DIALLED, example: 'mx.example.com' })
  mx_host: string | null;

  @Count(
    'Connection attempts, through all egresses; 0: a circuit breaker is open, or new egresses have reached their daily ceiling.',
    { example: 1 },
  )
  attempts: number;

  @Flag({ nullable: true, description: DIALLED, example: true })
  tls: boolean | null;

  @Text({ nullable: true, description: 'At most 200 characters.', example: '2.1.5 Ok' })
  text: string | null;

  @Text({
    nullable: true,
    description:
      'The rule that classified the reply (see `rcpt explain`); null: no reply. `egress.warmup`: no server was contacted, because new egresses have reached their daily ceiling.',
    example: 'recipient2xx.250',
  })
  rule: string | null;

  @Text({
    nullable: true,
    description: 'The egress that was used (`SMTP_EGRESS`); null: no server was contacted.',
    example: 'direct',
  })
  egress: string | null;
}

@Schema('VerdictPolicy')
export class VerdictPolicy {
  @OneOf(DECISIONS)
  decision: Verdict['policy']['decision'];

  @Text({
    nullable: true,
    description:
      'The rule that determined the decision: `team:` and the id of a rule of the team, or one of the service; null: none.',
    example: null,
  })
  rule: string | null;
}

@Schema('ListMatch')
class ListMatch {
  @OneOf(['blocklist', 'disposable', 'privacy_relay', 'role'])
  list: NonNullable<Verdict['listMatch']>['list'];

  @OneOf(['global', 'team'])
  scope: NonNullable<Verdict['listMatch']>['scope'];

  @Text({ example: 'mailinator.com' })
  pattern: string;

  @Text({ example: 'disposable-email-domains' })
  source: string;
}

@Schema('Verdict')
export class VerdictResponse {
  @Text({ description: 'As it was sent.', example: 'jane@example.com' })
  email: string;

  @Text({ nullable: true, example: 'jane@example.com' })
  normalized_email: string | null;

  @Text({
    nullable: true,
    description:
      'The mailbox that the spelling leads to (`jane@gmail.com` for `J.a.ne+news@googlemail.com`), to find a person twice, never to send to; null: the rule of the provider is not known.',
    example: null,
  })
  canonical_email: string | null;

  @Text({ nullable: true, example: 'jane' })
  local_part: string | null;

  @Text({ nullable: true, description: 'A-label, lower case.', example: 'example.com' })
  domain: string | null;

  @OneOf(STATUSES)
  status: Verdict['status'];

  @OneOf(REASONS)
  reason: Verdict['reason'];

  @WholeNumber({ min: 0, max: 100, description: 'Higher is safer to send to.', example: 95 })
  score: number;

  @Text({
    nullable: true,
    example: null,
    description: 'The address that was probably meant, if the domain is probably mistyped.',
  })
  did_you_mean: string | null;

  @ObjectOf(() => VerdictChecks)
  checks: VerdictChecks;

  @ObjectOf(() => VerdictDns)
  dns: VerdictDns;

  @ObjectOf(() => VerdictSmtp, {
    nullable: true,
    description: 'The decisive reply; null: no SMTP session.',
  })
  smtp: VerdictSmtp | null;

  @ObjectOf(() => VerdictPolicy)
  policy: VerdictPolicy;

  @ObjectOf(() => OutcomeResponse, {
    nullable: true,
    example: null,
    description: 'The latest outcome of a mail to the address; null: none is known.',
  })
  outcome: OutcomeResponse | null;

  @ObjectOf(() => EstimateResponse, {
    nullable: true,
    example: null,
    description: 'From the outcomes of your team. It never changes `status`. null: there are none.',
  })
  estimate: EstimateResponse | null;

  @ObjectOf(() => ListMatch, { nullable: true, example: null, description: 'null: no list contains it.' })
  list_match: ListMatch | null;

  @WholeNumber({
    nullable: true,
    description: 'Seconds after which the address is rechecked, or a new request may give another result.',
    example: null,
  })
  retry_after: number | null;

  @Time()
  verified_at: string;

  @Flag()
  cached: boolean;

  @Count('The age of the facts in seconds.')
  age_seconds: number;

  @Count('The duration of this request in milliseconds.', { example: 412 })
  duration_ms: number;
}

export function toResponse(verdict: Verdict): VerdictResponse {
  return verdictInJson(verdict, verdict.outcome && toOutcome(verdict.outcome));
}
