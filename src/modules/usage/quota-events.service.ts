import { Injectable } from '@nestjs/common';
import { Events } from '../../kernel/events.js';
import type { TeamId } from '../../kernel/principal.js';
import { UnitOfWork } from '../../kernel/unit-of-work.js';
import { unreportedMarks, type QuotaStatus } from './domain/quota.js';
import { quotaMarkPassed } from './domain/usage.events.js';
import { UsageRepository } from './domain/usage.repository.js';

/** Tells a team, once a day each, that much or all of its quota is used. */
@Injectable()
export class QuotaEventsService {
  constructor(
    private readonly usage: UsageRepository,
    private readonly work: UnitOfWork,
    private readonly events: Events,
  ) {}

  /** @param limit null: none, and so no news. */
  async publish(teamId: TeamId, limit: number | null, standing: QuotaStatus): Promise<void> {
    if (limit === null) return;
    for (const mark of unreportedMarks(limit, standing)) {
      await this.work.run(async () => {
        const isFirst = await this.usage.mark(teamId, standing.day, mark);
        if (isFirst) await this.events.publish(quotaMarkPassed(mark, teamId, limit, standing));
      });
    }
  }
}
