import type { TeamId } from './principal.js';

/** An entry without actor, network address and request id: the adapter adds them from the request context. */
export interface AuditEntry {
  /** `noun.verb`, as in `invite.created`. */
  action: string;
  teamId: TeamId;
  target: { type: string; id: string };
  /** JSON: values before and after the change. Contains no addresses, keys or secrets. */
  details?: Readonly<Record<string, unknown>>;
}

/** Port: the append-only audit log. Call it in the unit of work of the audited change. Entries remain after the team is deleted. */
export abstract class AuditLog {
  abstract record(entry: AuditEntry): Promise<void>;
}
