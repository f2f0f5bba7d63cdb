import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Config } from '../../../platform/config/config.js';
import { CHECK_STATUSES, type CheckStatus, type SelfCheck, type SelfCheckDay } from './domain/self-check.js';
import { SelfCheckRepository } from './domain/self-check.repository.js';
import { DAY_MS } from '../../../kernel/durations.js';

export { CHECK_STATUSES, type CheckStatus, type SelfCheck, type SelfCheckDay };

/** Days of the history, with today. */
export const HISTORY_DAYS = 90;

export interface SelfCheckHistory {
  /** `YYYY-MM-DD` */
  firstDay: string;
  /** Today. */
  lastDay: string;
  /** Of the checks that are still made, in their order. */
  checks: { name: string; egress: string; days: SelfCheckDay[] }[];
}

/** What is known of the egresses of this configuration. Nothing is, if they are not checked. */
@Injectable()
export class SelfChecksService {
  constructor(
    private readonly repository: SelfCheckRepository,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async list(): Promise<SelfCheck[]> {
    const { selfCheckMs, smtp } = this.config;
    if (selfCheckMs === 0) return [];
    const names = new Set(smtp.egresses.map(({ name }) => name));
    return (await this.repository.list()).filter(({ egress }) => names.has(egress));
  }

  async history(): Promise<SelfCheckHistory> {
    const now = this.clock.now();
    const firstDay = dayOf(new Date(now.getTime() - (HISTORY_DAYS - 1) * DAY_MS));
    const checks = await this.list();
    const days = checks.length === 0 ? [] : await this.repository.listDays(firstDay);
    return {
      firstDay,
      lastDay: dayOf(now),
      checks: checks.map(({ name, egress }) => ({
        name,
        egress,
        days: days.filter((day) => day.name === name && day.egress === egress),
      })),
    };
  }
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
