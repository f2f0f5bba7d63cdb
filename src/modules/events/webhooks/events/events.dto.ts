import type { Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { DomainEvent } from '../../../../kernel/events.js';
import { MODES, ROLES, type Mode, type Role } from '../../../../kernel/principal.js';
import { REASONS, STATUSES, type Reason, type Status } from '../../../../kernel/verdict.js';
import type { DocumentedEvent } from '../../../../platform/http/openapi/openapi-events.js';
import {
  Count,
  CountsBy,
  Day,
  Id,
  Link,
  ObjectOf,
  OneOf,
  Schema,
  Text,
  Time,
} from '../../../../platform/http/validation/fields.js';
import { VerdictResponse } from '../../../verification/verification/single/verification.dto.js';
import { ScheduleNeedsConfirmation, ScheduleRunEnded } from './schedule-events.dto.js';
import { DISABLED_REASONS, type DisabledReason, type EventType } from '../domain/webhook.js';

/** The `data` of events. Members that a class does not declare are not published. */

@Schema('BulkJobLinks')
class BulkJobLinks {
  @Link({ example: 'https://verify.example.org/v1/bulk-jobs/job_01kaj3wzj4e0t9x7n2v8q5r6sm' })
  job: string;

  @Link({ example: 'https://verify.example.org/v1/bulk-jobs/job_01kaj3wzj4e0t9x7n2v8q5r6sm/results' })
  results: string;
}

@Schema('BulkJobEndedEvent')
export class BulkJobEnded {
  @Id('job')
  job_id: string;

  @OneOf(MODES)
  mode: Mode;

  @OneOf(['completed', 'failed', 'canceled'])
  status: 'completed' | 'failed' | 'canceled';

  @Text({ nullable: true, description: 'Why it failed; otherwise null.' })
  failure: string | null;

  @Count('Rows.', { example: 3 })
  total: number;

  @Count('Rows without an address.')
  empty: number;

  @Count('Distinct addresses.', { example: 2 })
  unique: number;

  @Count('Rows that are done: they have a result, or no address.', { example: 3 })
  processed: number;

  @CountsBy(STATUSES, { example: { deliverable: 2, undeliverable: 1, risky: 0, unknown: 0 } })
  by_status: Partial<Record<Status, number>>;

  @CountsBy(REASONS, { example: { accepted_email: 2, mailbox_not_found: 1 } })
  by_reason: Partial<Record<Reason, number>>;

  @ObjectOf(() => BulkJobLinks)
  links: BulkJobLinks;
}

@Schema('VerificationCompletedEvent')
export class VerificationCompleted {
  @Id('chk')
  check_id: string;
}

/** The verdict is not stored with the event; it is added when the event is posted. */
@Schema('VerificationCompletedEventWithVerdict')
export class VerificationCompletedWithVerdict extends VerificationCompleted {
  @ObjectOf(() => VerdictResponse)
  verdict: VerdictResponse;
}

@Schema('QuotaEvent')
export class QuotaReached {
  @OneOf(MODES)
  mode: Mode;

  @Day({ description: 'The UTC day.' })
  date: string;

  @Count('Units per day.', { example: 1000 })
  limit: number;

  @Count('Used units.', { example: 800 })
  used: number;
}

@Schema('MemberEvent')
export class MemberChanged {
  @Id('mem')
  member_id: string;

  @Id('usr')
  user_id: string;
}

@Schema('InviteAcceptedEvent')
export class InviteAccepted extends MemberChanged {
  @Id('inv')
  invite_id: string;

  @OneOf(ROLES, { example: 'member' })
  role: Role;
}

@Schema('KeyEvent')
export class KeyChanged {
  @Id('key')
  key_id: string;

  @Id('usr', { nullable: true, description: 'null: a service key.' })
  user_id: string | null;

  @OneOf(MODES, { description: 'Of the key.' })
  mode: Mode;
}

@Schema('SubscriptionEvent')
export class SubscriptionUpdated {
  @Text({ description: 'The tier in force.', example: 'growth' })
  tier: string;

  @Text({ nullable: true, description: 'The tier of the subscription; null: none.', example: 'growth' })
  subscription_tier: string | null;

  @Text({
    nullable: true,
    description: 'The status of the subscription, in the terms of the payment provider.',
    example: 'active',
  })
  status: string | null;

  @Time({ nullable: true, description: 'When the subscription ends; null: no end.', example: null })
  ends_at: string | null;
}

@Schema('WebhookTestEvent')
export class WebhookTest {
  @Id('whk')
  webhook_id: string;

  @OneOf(MODES)
  mode: Mode;
}

@Schema('WebhookDisabledEvent')
export class WebhookDisabled extends WebhookTest {
  @OneOf(DISABLED_REASONS, { example: 'failing' })
  reason: DisabledReason;
}

export interface CatalogueEntry {
  /** Describes the cause. */
  summary: string;
  /** The public members of the data; all others are left out. */
  data: Type<object>;
  /** The data as it is sent, if members are added when it is sent. */
  posted?: Type<object>;
  /** Members of the data as a receiver gets it that differ from the examples of their fields. */
  example?: Readonly<Record<string, unknown>>;
  /** Also published in test mode; `mode` in its data has the mode. */
  inTestModeToo?: true;
}

/** The public events and their schemas. The OpenAPI document and the deliveries derive from this table. */
export const CATALOGUE: Readonly<Record<EventType, CatalogueEntry>> = {
  'bulk_job.completed': {
    summary: 'Every row of a bulk job has its result',
    data: BulkJobEnded,
    inTestModeToo: true,
  },
  'bulk_job.failed': {
    summary: 'A bulk job has failed',
    data: BulkJobEnded,
    example: { status: 'failed', failure: 'input_unreadable', processed: 1 },
    inTestModeToo: true,
  },
  'bulk_job.canceled': {
    summary: 'A bulk job was canceled',
    data: BulkJobEnded,
    example: { status: 'canceled', processed: 1 },
    inTestModeToo: true,
  },
  'schedule.completed': { summary: 'A run of a schedule has completed', data: ScheduleRunEnded },
  'schedule.failed': {
    summary: 'A run of a schedule has failed',
    data: ScheduleRunEnded,
    example: {
      status: 'failed',
      failure: 'unauthorized',
      job_id: null,
      rows: 0,
      unchanged: 0,
      verified: 0,
      new: 0,
      written: 0,
    },
  },
  'schedule.needs_confirmation': {
    summary: 'A run of a schedule would blocklist many subscribers, and waits for an answer',
    data: ScheduleNeedsConfirmation,
    example: { written: 0 },
  },
  'verification.completed': {
    summary: 'A deferred address has its verdict',
    data: VerificationCompleted,
    posted: VerificationCompletedWithVerdict,
  },
  'quota.warning': { summary: '80 % of the day’s quota is used', data: QuotaReached },
  'quota.exceeded': {
    summary: 'The day’s quota is used up',
    data: QuotaReached,
    example: { used: 1000 },
  },
  'invite.accepted': {
    summary: 'A user has joined the team',
    data: InviteAccepted,
  },
  'member.removed': { summary: 'A user has left the team', data: MemberChanged },
  'key.created': { summary: 'A key was created', data: KeyChanged },
  'key.revoked': { summary: 'A key was revoked', data: KeyChanged },
  'subscription.updated': {
    summary: 'The team’s subscription has changed',
    data: SubscriptionUpdated,
  },
  'webhook.disabled': {
    summary: 'A webhook was disabled; sent to the other webhooks of the team',
    data: WebhookDisabled,
    inTestModeToo: true,
  },
  'webhook.test': {
    summary: 'A test was requested; sent to this webhook only',
    data: WebhookTest,
    inTestModeToo: true,
  },
};

export const EVENT_TYPES = Object.keys(CATALOGUE) as EventType[];

/** The public data of an event, and its mode. @throws if the data does not match its schema. */
export function publicEvent(
  { type, data }: DomainEvent,
  publicUrl: string,
): { mode: Mode; data: Record<string, unknown> } {
  const entry = CATALOGUE[type as EventType];
  const mode = entry.inTestModeToo && data.mode === 'test' ? 'test' : 'live';
  const payload = plainToInstance(entry.data, { ...data, ...absoluteLinks(data.links, publicUrl) });
  const wrong = validateSync(payload, { whitelist: true, forbidUnknownValues: true });
  if (wrong.length > 0)
    throw new Error(
      `${type} has missing or invalid members: ${wrong.map(({ property }) => property).join(', ')}`,
    );
  return { mode, data: { ...payload } };
}

export function documentedEvents(): DocumentedEvent[] {
  return EVENT_TYPES.map((type) => {
    const { summary, data, posted = data, example = {} } = CATALOGUE[type];
    return { type, summary, data: posted, example };
  });
}

/** Events contain paths; receivers get URLs. */
function absoluteLinks(links: unknown, publicUrl: string): { links?: Record<string, string> } {
  if (typeof links !== 'object' || links === null) return {};
  const absolute = Object.entries(links).map(([name, path]) => [name, `${publicUrl}${path}`] as const);
  return { links: Object.fromEntries(absolute) };
}
