import { AuditLog, type AuditFilter, type StoredAuditEntry } from '../../kernel/audit-log.js';
import { isId } from '../../kernel/ids.js';
import { itemsOf } from '../../kernel/page.js';
import { toResponse } from '../../modules/identity/audit/audit.dto.js';
import { withDatabase } from '../database-context.js';
import { print, UsageError, type Format } from '../terminal.js';

interface AuditOptions extends Format {
  team?: string;
  actor?: string;
  action?: string;
  from?: Date;
  to?: Date;
  limit: number;
}

export async function listAuditLog(options: AuditOptions): Promise<void> {
  const { team = null, action = null, from = null, to = null, limit } = options;
  if (team !== null && !isId('team', team)) throw new UsageError('--team must be the id of a team: team_…');
  const filter: AuditFilter = { teamId: team, actor: actorOf(options.actor), action, from, to };
  await withDatabase([], async (services) => {
    const entries: StoredAuditEntry[] = [];
    for await (const entry of itemsOf((page) => services(AuditLog).list(filter, page))) {
      if (entries.length === limit) {
        process.stderr.write(`There are older entries than these ${limit}: use --to or a higher --limit.\n`);
        break;
      }
      entries.push(entry);
    }
    print(
      options,
      entries.map((entry) => ({ team_id: entry.teamId, ...toResponse(entry) })),
      () => entries.map(toLine).join('\n') || 'no entries',
    );
  });
}

function actorOf(id: string | undefined): AuditFilter['actor'] {
  if (id === undefined) return null;
  if (isId('usr', id)) return { userId: id };
  if (isId('key', id)) return { keyId: id };
  throw new UsageError('--actor must be the id of a user or a key: usr_… or key_…');
}

function toLine({ at, teamId, actor, action, target, details, requestId }: StoredAuditEntry): string {
  const who = [actor.userId, actor.keyId, actor.networkAddress, requestId].filter((id) => id !== null);
  const changes = Object.keys(details).length > 0 ? [JSON.stringify(details)] : [];
  const by = `by ${who.join(' ') || 'the operator or a task'}`;
  return [at.toISOString(), teamId, action, target.id, by, ...changes].join('  ');
}
