import type { TeamId } from './principal.js';

/** Who did it, from where and under which request, is known to the log itself. */
export interface AuditEntry {
  /** `noun.verb`, as in `invite.created`. */
  action: string;
  teamId: TeamId;
  target: { type: string; id: string };
  /** JSON: what was before and after, without addresses, keys or secrets. */
  details?: Readonly<Record<string, unknown>>;
}

/** Port: what was done, append-only; it outlives the team. Called inside the unit of work of the act. */
export abstract class AuditLog {
  abstract record(entry: AuditEntry): Promise<void>;
}
