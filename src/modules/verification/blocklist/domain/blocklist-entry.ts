import { newId } from '../../../../kernel/ids.js';
import type { TeamId, UserId } from '../../../../kernel/principal.js';

/** A domain that a team will not send to, including its subdomains. */
export class BlocklistEntry {
  readonly id: string = newId('blk');

  constructor(
    readonly teamId: TeamId,
    /** A-label, lower case, no final dot. */
    readonly domain: string,
    readonly reason: string | null,
    /** null: a service key. */
    readonly createdBy: UserId | null,
    readonly createdAt: Date,
  ) {}
}
