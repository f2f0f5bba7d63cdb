import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { Clock } from '../../../../kernel/clock.js';
import { parseEmailAddress } from '../../../../engine/address/email-address.js';
import { Engine } from '../../../../engine/engine.js';
import { addressOverview } from '../../../../engine/address-overview.js';
import type { AddressOverview, DomainOverview } from '../../../../engine/list-preview.js';
import { AddressFactsService } from '../facts/address-facts.service.js';
import { VerificationService, type Caller } from '../single/verification.service.js';

/** Addresses that are read before the event loop continues. */
const UNINTERRUPTED = 50;

/** What is known of addresses and domains without a mail server. Nothing is charged or counted. */
@Injectable()
export class AddressOverviewsService {
  constructor(
    private readonly verification: VerificationService,
    private readonly facts: AddressFactsService,
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {}

  /** @param maxAge of stored facts in seconds; null: any. */
  async of(caller: Caller, emails: readonly string[], maxAge: number | null): Promise<AddressOverview[]> {
    const isLive = caller.mode === 'live';
    const parsed = emails.map(parseEmailAddress);
    const keys = parsed.flatMap((each) => (each.ok && isLive ? [each.address.key] : []));
    const known = await this.facts.findMany(caller.teamId, keys);
    const local = await this.verification.localResults(caller);
    const found: AddressOverview[] = [];
    for (const [n, each] of parsed.entries()) {
      if (n % UNINTERRUPTED === UNINTERRUPTED - 1) await setImmediate();
      const result = each.ok ? local.of(each, known, maxAge, this.clock.now()) : null;
      const isBlocked = result?.kind === 'blocked';
      found.push({
        ...addressOverview(each, this.engine.lists, local.override),
        isBlocked,
        // A test key has no stored facts.
        isStored: isLive && result !== null && !isBlocked,
      });
    }
    return found;
  }

  /** By the DNS, in which the look-ups of teams take turns. A test key has none. */
  lookUp({ teamId }: Caller, domain: string, signal: AbortSignal): Promise<DomainOverview> {
    return this.engine.lookUp(domain, { team: teamId, priority: 'list' }, signal);
  }
}
