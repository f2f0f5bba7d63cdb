import { Injectable } from '@nestjs/common';
import { Events } from '../../kernel/events.js';
import type { TeamId } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { unreportedThresholds, type QuotaStatus } from './domain/quota.js';
import { quotaThresholdPassed } from './domain/usage.events.js';
import { UsageRepository } from './domain/usage.repository.js';

/** Publishes an event, once per day each, when 80 % and 100 % of a team's quota are used. */
@Injectable()
export class QuotaEventsService {
  constructor(
    private readonly usage: UsageRepository,
    private readonly work: UnitOfWork,
    private readonly events: Events,
  ) {}

  /** @param limit null: no limit, so no event. */
  async publish(teamId: TeamId, limit: number | null, status: QuotaStatus): Promise<void> {
    if (limit === null) return;
    for (const threshold of unreportedThresholds(limit, status)) {
      await this.work.run(async () => {
        const isFirst = await this.usage.markReported(teamId, status.day, threshold);
        if (isFirst) await this.events.publish(quotaThresholdPassed(threshold, teamId, limit, status));
      });
    }
  }
}
