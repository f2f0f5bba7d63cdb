import { newId } from '../../../../../kernel/ids.js';
import type { TeamId } from '../../../../../kernel/principal.js';
import type { SourceKind } from '../providers/providers.js';

/** A provider that sends the events of a team's mails. */
export class OutcomeSource {
  readonly id: string = newId('src');

  constructor(
    readonly teamId: TeamId,
    readonly kind: SourceKind,
    /** SHA-256 of the token in the URL. */
    readonly tokenDigest: Buffer,
    /** Encrypted; null: the provider signs with none. */
    readonly secret: string | null,
    readonly createdAt: Date,
    /** It has told that a mail arrived: that one was only sent counts no more. */
    readonly tellsArrivals = false,
  ) {}
}
