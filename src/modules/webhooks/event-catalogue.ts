import { z } from 'zod';
import type { DomainEvent } from '../../kernel/domain-event.js';
import { MODES, ROLES, type Mode } from '../../kernel/principal.js';
import { REASONS, STATUSES } from '../../kernel/verdict.js';
import { JOB, KEY, MEMBER, QUOTA, VERDICT } from './event-catalogue-examples.js';
import { EVENT_TYPES, type EventType } from './domain/event-types.js';
import { DISABLED_REASONS } from './domain/webhook.js';

/** One public type of event. */
interface Entry {
  /** What has happened. */
  summary: string;
  /** What of the event's data is public: what it does not name is left out. */
  data: z.ZodObject;
  /** As a receiver gets it. */
  example: Readonly<Record<string, unknown>>;
  /** Also happens in test mode; `mode` in its data says where it did. */
  inTestModeToo?: true;
}

const count = z.int().min(0);
const countsBy = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.partialRecord(z.enum(names), count);

const jobEnded = z.object({
  job_id: z.string(),
  mode: z.enum(MODES),
  status: z.enum(['completed', 'failed', 'canceled']),
  failure: z.string().nullable().meta({ description: 'Why it failed; else null.' }),
  total: count.meta({ description: 'Rows.' }),
  unique: count.meta({ description: 'Addresses among them.' }),
  processed: count.meta({ description: 'Rows with a result.' }),
  by_status: countsBy(STATUSES),
  by_reason: countsBy(REASONS),
  links: z.object({ job: z.url(), results: z.url() }),
});

const quotaMark = z.object({
  date: z.iso.date().meta({ description: 'The UTC day.' }),
  limit: count,
  used: count,
});

const keyNews = z.object({
  key_id: z.string(),
  user_id: z.string().nullable().meta({ description: 'null: a service key.' }),
  mode: z.enum(MODES).meta({ description: 'Of the key.' }),
});

const memberNews = z.object({ member_id: z.string(), user_id: z.string() });
const webhookNews = z.object({ webhook_id: z.string(), mode: z.enum(MODES) });

/** Which events are public, and in which shape: nothing else decides about it. */
const CATALOGUE: Readonly<Record<EventType, Entry>> = {
  'bulk_job.completed': {
    summary: 'Every row of a bulk job has its result',
    data: jobEnded,
    example: JOB,
    inTestModeToo: true,
  },
  'bulk_job.failed': {
    summary: 'A bulk job could not be done',
    data: jobEnded,
    example: { ...JOB, status: 'failed', failure: 'input_unreadable', processed: 1 },
    inTestModeToo: true,
  },
  'bulk_job.canceled': {
    summary: 'A bulk job was canceled',
    data: jobEnded,
    example: { ...JOB, status: 'canceled', processed: 1 },
    inTestModeToo: true,
  },
  'verification.completed': {
    summary: 'An address whose server had put us off has its verdict',
    data: z.object({ check_id: z.string() }),
    example: { check_id: 'chk_01kaj3wzj4e0t9x7n2v8q5r6sm', verdict: VERDICT },
  },
  'quota.warning': { summary: '80 % of the day’s quota is used', data: quotaMark, example: QUOTA },
  'quota.exceeded': {
    summary: 'The day’s quota is used up',
    data: quotaMark,
    example: { ...QUOTA, used: 1000 },
  },
  'invite.accepted': {
    summary: 'Somebody has joined the team',
    data: memberNews.extend({ invite_id: z.string(), role: z.enum(ROLES) }),
    example: { ...MEMBER, invite_id: 'inv_01kaj3wzj4e0t9x7n2v8q5r6sm', role: 'member' },
  },
  'member.removed': { summary: 'Somebody has left the team', data: memberNews, example: MEMBER },
  'key.created': { summary: 'The team has a new key', data: keyNews, example: KEY },
  'key.revoked': { summary: 'A key has ended', data: keyNews, example: KEY },
  'subscription.updated': {
    summary: 'The team’s subscription has changed',
    data: z.looseObject({
      tier: z.string().meta({ description: 'The tier in force.' }),
      status: z.string().nullable().meta({ description: 'The subscription’s, as the provider calls it.' }),
    }),
    example: { tier: 'growth', status: 'active' },
  },
  'webhook.disabled': {
    summary: 'Nothing is sent to one of the team’s webhooks any more; told to the others',
    data: webhookNews.extend({ reason: z.enum(DISABLED_REASONS) }),
    example: { webhook_id: 'whk_01kaj3wzj4e0t9x7n2v8q5r6sm', mode: 'live', reason: 'failing' },
    inTestModeToo: true,
  },
  'webhook.test': {
    summary: 'Somebody wants to see an event arrive; told to that webhook alone',
    data: webhookNews,
    example: { webhook_id: 'whk_01kaj3wzj4e0t9x7n2v8q5r6sm', mode: 'live' },
    inTestModeToo: true,
  },
};

/** An event as teams may hear of it, and of which mode it is. @throws when it lacks what its type promises. */
export function publicEvent(
  { type, data }: DomainEvent,
  publicUrl: string,
): { mode: Mode; data: Record<string, unknown> } {
  const entry = CATALOGUE[type as EventType];
  const mode = entry.inTestModeToo && data.mode === 'test' ? 'test' : 'live';
  return { mode, data: entry.data.parse({ ...data, ...absoluteLinks(data.links, publicUrl) }) };
}

/** An event told in the OpenAPI document. */
export interface DocumentedEvent {
  type: string;
  summary: string;
  /** What is posted. */
  body: z.ZodType;
  example: unknown;
}

/** Everything that a receiver can be sent. @param verdict the schema of the API's verdict. */
export function documentedEvents(verdict: z.ZodType): DocumentedEvent[] {
  return EVENT_TYPES.map((type) => {
    const { summary, data, example } = CATALOGUE[type];
    const sent = type === 'verification.completed' ? data.extend({ verdict }) : data;
    const timestamp = z.iso.datetime().meta({ description: 'When it happened.' });
    return {
      type,
      summary,
      body: z.object({ type: z.literal(type), timestamp, data: sent }),
      example: { type, timestamp: '2026-11-21T12:00:00.000Z', data: example },
    };
  });
}

/** Services know paths; where they are reached is known here. */
function absoluteLinks(links: unknown, publicUrl: string): { links?: Record<string, string> } {
  if (typeof links !== 'object' || links === null) return {};
  const absolute = Object.entries(links).map(([name, path]) => [name, `${publicUrl}${path}`] as const);
  return { links: Object.fromEntries(absolute) };
}
