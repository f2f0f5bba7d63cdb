import { Injectable } from '@nestjs/common';
import { OriginNotAllowed, RateLimited } from '../../kernel/errors.js';
import { Meter } from '../../kernel/meter.js';
import type { Principal, PublishableRules, TeamId } from '../../kernel/principal.js';
import { addressLimits } from './domain/harvest-limits.js';
import { PublishableSlots } from './domain/publishable-slots.js';
import {
  PublishableStore,
  type RequestedAddress,
  type RequestDecision,
  type StatementRunner,
} from './domain/publishable-store.js';

export type { RequestDecision } from './domain/publishable-store.js';

const RETRY_SECONDS = 1;

/** Limits what the visitors of a page can do with the key in it. */
@Injectable()
export class PublishableKeysService {
  constructor(
    private readonly store: PublishableStore,
    private readonly slots: PublishableSlots,
    private readonly meter: Meter,
  ) {}

  /** @param origin the header `Origin`. @throws OriginNotAllowed */
  requireOrigin({ allowedOrigins }: PublishableRules, origin: string | undefined): void {
    if (origin !== undefined && allowedOrigins.includes(origin)) return;
    this.meter.count('rcpt_publishable_rejections_total', 'origin');
    throw new OriginNotAllowed();
  }

  /** A limit that the client or the key is known to have reached; null: none. */
  knownRefusal({ keyId }: Principal, client: string): RequestDecision | null {
    const refusal = this.store.knownRefusal(keyId, client);
    this.countRefusal(refusal);
    return refusal;
  }

  /** The rate of the team refuses a request. */
  countTeamRefusal(): void {
    this.meter.count('rcpt_publishable_rejections_total', 'team_rate');
  }

  /**
   * Counts a request of a client, unless a limit is reached.
   *
   * @param client its network. @throws RateLimited when too many calls of the team wait.
   */
  async consumeRequest(
    { keyId, teamId }: Principal,
    rules: PublishableRules,
    client: string,
  ): Promise<RequestDecision> {
    const decision = await this.inSlots(teamId, (inSlot) =>
      this.store.consumeRequest(keyId, client, rules, inSlot),
    );
    this.countRefusal(decision);
    return decision;
  }

  /**
   * Whether the address may be answered. Refuses a client, or all clients of a key, that verify many
   * addresses of one domain.
   *
   * @param isMailboxProvider many visitors of a page have addresses of this domain.
   * @throws RateLimited when too many calls of the team wait.
   */
  mayVerify(
    { keyId, teamId }: Principal,
    requested: Omit<RequestedAddress, 'key'>,
    isMailboxProvider: boolean,
  ): Promise<boolean> {
    const limits = addressLimits(isMailboxProvider);
    return this.inSlots(teamId, (inSlot) =>
      inSlot(() => this.store.consumeAddress({ key: keyId, ...requested }, limits)),
    );
  }

  /** Deletes counters of past windows. @returns the number of rows. */
  deleteExpired(): Promise<number> {
    return this.store.deleteExpired();
  }

  private countRefusal(decision: RequestDecision | null): void {
    if (decision === null || decision.refusedBy === null) return;
    this.meter.count('rcpt_publishable_rejections_total', decision.refusedBy);
  }

  private inSlots<T>(team: TeamId, call: (inSlot: StatementRunner) => Promise<T>): Promise<T> {
    const result = this.slots.run(team, call);
    if (result !== null) return result;
    this.meter.count('rcpt_publishable_rejections_total', 'in_progress');
    throw new RateLimited(RETRY_SECONDS);
  }
}
