import type { Page, PageRequest } from './page.js';
import type { KeyId, TeamId, UserId } from './principal.js';

/** An entry without actor, network address and request id: the adapter adds them from the request context. */
export interface AuditEntry {
  /** `noun.verb`, as in `invite.created`. */
  action: string;
  teamId: TeamId;
  target: { type: string; id: string };
  /** JSON: values before and after the change. Contains no addresses, keys or secrets. */
  details?: Readonly<Record<string, unknown>>;
  /** Somebody outside the team did it: its log does not name the person, the key or the network address. */
  isByOperator?: true;
}

export interface StoredAuditEntry extends Required<Omit<AuditEntry, 'isByOperator'>> {
  /** `aud_…` */
  id: string;
  at: Date;
  /** Without a request, as for commands and scheduled tasks, all members are null. */
  actor: { userId: UserId | null; keyId: KeyId | null; networkAddress: string | null };
  requestId: string | null;
}

/** null: all. */
export interface AuditFilter {
  teamId: TeamId | null;
  /** Of a user: entries of all keys of the user. */
  actor: { userId: UserId } | { keyId: KeyId } | null;
  action: string | null;
  from: Date | null;
  to: Date | null;
}

/** Port: the append-only audit log. Entries remain after the team is deleted. */
export abstract class AuditLog {
  /** Call it in the unit of work of the audited change. */
  abstract record(entry: AuditEntry): Promise<void>;

  /** Newest first; entries of the same millisecond in reverse order of their recording. */
  abstract list(filter: AuditFilter, page: PageRequest): Promise<Page<StoredAuditEntry>>;
}
