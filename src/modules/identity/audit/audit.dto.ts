import { stringify } from 'csv-stringify/sync';
import type { AuditFilter, StoredAuditEntry } from '../../../kernel/audit-log.js';
import { isId } from '../../../kernel/ids.js';
import type { TeamId } from '../../../kernel/principal.js';
import { guardFormula } from '../../../kernel/text/formula-guard.js';
import { PageQuery, pageOf } from '../../../platform/http/paging/cursor.js';
import {
  AnyObject,
  Id,
  Matching,
  ObjectOf,
  Schema,
  Text,
  Time,
} from '../../../platform/http/validation/fields.js';

export class AuditQuery extends PageQuery {
  @Matching(/^(?:usr|key)_[0-9a-hjkmnp-tv-z]{26}$/, {
    optional: true,
    message: 'Send the id of a user or a key: usr_… or key_….',
    description: 'The id of a user, with all keys of the user, or of a key.',
  })
  actor?: string;

  @Matching(/^[a-z]{1,40}\.[a-z_]{1,40}$/, {
    optional: true,
    message: 'Send an action, such as key.created.',
    description: 'One action, such as `key.created`.',
  })
  action?: string;

  @Time({ optional: true, description: 'Entries since this time.' })
  from?: string;

  @Time({ optional: true, description: 'Entries before this time.' })
  to?: string;
}

@Schema('AuditActor')
export class AuditActorResponse {
  @Id('usr', { nullable: true, description: 'The user of the key; null: a service key, or no request.' })
  user_id: string | null;

  @Id('key', { nullable: true, description: 'null: the command line, a scheduled task, or a public route.' })
  key_id: string | null;

  @Text({ nullable: true, description: 'The network address of the client.', example: '192.0.2.7' })
  address: string | null;
}

@Schema('AuditSubject')
export class AuditSubjectResponse {
  @Text({ example: 'key' })
  type: string;

  @Text({ description: 'Its id, also after it was deleted.', example: 'key_01kaj3wzj4e0t9x7n2v8q5r6sm' })
  id: string;
}

@Schema('AuditEntry')
export class AuditEntryResponse {
  @Id('aud')
  id: string;

  @Time()
  at: string;

  @ObjectOf(() => AuditActorResponse)
  actor: AuditActorResponse;

  @Text({ example: 'member.role_changed' })
  action: string;

  @ObjectOf(() => AuditSubjectResponse)
  subject: AuditSubjectResponse;

  @AnyObject({
    description:
      'What was changed. A changed setting has its value before (`from`) and after (`to`); free text and URLs are not recorded.',
    example: { from: 'member', to: 'admin' },
  })
  changes: Readonly<Record<string, unknown>>;

  @Text({ nullable: true, description: '`X-Request-Id` of the request.' })
  request_id: string | null;
}

@Schema('AuditPage')
export class AuditPage extends pageOf(AuditEntryResponse) {}

export function toFilter(teamId: TeamId, { actor, action, from, to }: AuditQuery): AuditFilter {
  const time = (text: string | undefined) => (text === undefined ? null : new Date(text));
  return { teamId, actor: actorOf(actor), action: action ?? null, from: time(from), to: time(to) };
}

function actorOf(id: string | undefined): AuditFilter['actor'] {
  if (id === undefined) return null;
  return isId('usr', id) ? { userId: id } : { keyId: id };
}

export function toResponse(entry: StoredAuditEntry): AuditEntryResponse {
  const { userId, keyId, networkAddress } = entry.actor;
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    actor: { user_id: userId, key_id: keyId, address: networkAddress },
    action: entry.action,
    subject: entry.target,
    changes: entry.details,
    request_id: entry.requestId,
  };
}

const COLUMNS: Readonly<Record<string, (entry: StoredAuditEntry) => string | null>> = {
  id: ({ id }) => id,
  at: ({ at }) => at.toISOString(),
  user_id: ({ actor }) => actor.userId,
  key_id: ({ actor }) => actor.keyId,
  address: ({ actor }) => actor.networkAddress,
  action: ({ action }) => action,
  subject_type: ({ target }) => target.type,
  subject_id: ({ target }) => target.id,
  changes: ({ details }) => JSON.stringify(details),
  request_id: ({ requestId }) => requestId,
};

type Pages = AsyncIterable<readonly StoredAuditEntry[]>;

/** RFC 4180; `changes` is JSON. A client chooses its request id, so formulas are marked. */
export async function* toCsv(pages: Pages): AsyncGenerator<string, void, undefined> {
  yield stringify([Object.keys(COLUMNS)]);
  const cells = Object.values(COLUMNS);
  for await (const entries of pages)
    yield stringify(
      entries.map((entry) => cells.map((cell) => cell(entry))),
      { cast: { string: (cell) => guardFormula(cell) } },
    );
}

/** JSON, one entry per line. */
export async function* toNdjson(pages: Pages): AsyncGenerator<string, void, undefined> {
  for await (const entries of pages)
    yield entries.map((entry) => `${JSON.stringify(toResponse(entry))}\n`).join('');
}
