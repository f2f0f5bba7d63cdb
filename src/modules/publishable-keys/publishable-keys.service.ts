import { Injectable } from '@nestjs/common';
import { Meter } from '../../kernel/meter.js';
import type { Principal, PublishableRules } from '../../kernel/principal.js';
import { addressLimits } from './domain/harvest-limits.js';
import { PublishableStore, type AskedAddress, type RequestDecision } from './domain/publishable-store.js';
import { OriginNotAllowed } from './publishable-keys.errors.js';

export type { RequestDecision } from './domain/publishable-store.js';

/** Limits what the visitors of a page can do with the key in it. */
@Injectable()
export class PublishableKeysService {
  constructor(
    private readonly store: PublishableStore,
    private readonly meter: Meter,
  ) {}

  /** @param origin the header `Origin`. @throws OriginNotAllowed */
  requireOrigin({ allowedOrigins }: PublishableRules, origin: string | undefined): void {
    if (origin !== undefined && allowedOrigins.includes(origin)) return;
    this.meter.count('rcpt_publishable_rejections_total', 'origin');
    throw new OriginNotAllowed();
  }

  /** Counts a request of a client, unless a limit is reached. @param client its network. */
  async takeRequest({ keyId }: Principal, rules: PublishableRules, client: string): Promise<RequestDecision> {
    const decision = await this.store.takeRequest(keyId, client, rules);
    if (decision.refusedBy !== null)
      this.meter.count('rcpt_publishable_rejections_total', decision.refusedBy);
    return decision;
  }

  /**
   * Whether the address may be answered. Refuses a client, or all clients of a key, that ask about many
   * addresses of one domain.
   *
   * @param isMailboxProvider many visitors of a page have addresses of this domain.
   */
  mayAnswer(asked: AskedAddress, isMailboxProvider: boolean): Promise<boolean> {
    return this.store.takeAddress(asked, addressLimits(isMailboxProvider));
  }

  /** Deletes counters of past windows. @returns the number of rows. */
  deleteExpired(): Promise<number> {
    return this.store.deleteExpired();
  }
}
