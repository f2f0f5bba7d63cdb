import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { OutgoingMails } from '../../../kernel/mail.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { Config } from '../../../platform/config/config.js';
import { DoctorService, type EgressFinding } from '../doctor/doctor.service.js';
import { TeamsService } from '../../identity/teams/team/teams.service.js';
import { SELF_CHECK_MAIL_DAYS, selfCheckMail } from './domain/self-check-mail.js';
import { isNews, recorded, type SelfCheck, type SelfCheckResult } from './domain/self-check.js';
import { SelfCheckRepository } from './domain/self-check.repository.js';
import { DAY_MS } from '../../../kernel/durations.js';

/** Replies of servers are a part of it. */
const MAX_DETAIL = 1_000;
const MAX_OWNERS = 20;

/** Checks every egress at the interval, in one process of the installation, and tells its operators of changes. */
@Injectable()
export class SelfCheckRunService {
  private readonly processStartedAt: Date;

  constructor(
    private readonly doctor: DoctorService,
    private readonly repository: SelfCheckRepository,
    private readonly teams: TeamsService,
    private readonly mails: OutgoingMails,
    private readonly work: UnitOfWork,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    this.processStartedAt = clock.now();
  }

  /** Checks if a run is due, or none was made since this process has started. @returns the number of checks. */
  async runDue(): Promise<number> {
    const { selfCheckMs } = this.config;
    if (selfCheckMs === 0) return 0;
    const startedAt = this.clock.now();
    if (!(await this.repository.claim(startedAt, this.processStartedAt))) return 0;
    const results = (await this.doctor.examineEgresses()).map(resultOf);
    const dueAt = new Date(startedAt.getTime() + selfCheckMs);
    return this.work.run(async () => {
      const now = this.clock.now();
      // A process that was stopped for longer than its lease has older results than the one that took over.
      if (!(await this.repository.release(startedAt, dueAt))) return 0;
      await this.record(results, now);
      return results.length;
    });
  }

  private async record(results: readonly SelfCheckResult[], now: Date): Promise<void> {
    const last = new Map((await this.repository.list()).map((check) => [keyOf(check), check]));
    const checks = results.map((result) => recorded(last.get(keyOf(result)), result, now));
    const news = checks.filter((check) => isNews(check, now));
    for (const check of news) {
      check.mailed = check.status === 'fail' ? 'fail' : 'pass';
      if (this.mails.areSent) check.mailedAt = now;
    }
    await this.repository.saveAll(checks);
    if (news.length > 0 && this.mails.areSent) await this.mail(news, now);
  }

  /** One mail for all changes of a run. No sign-up makes the first team, so its owners are there by its own choice. */
  private async mail(news: readonly SelfCheck[], now: Date): Promise<void> {
    const operators = await this.teams.operators();
    if (operators === null) return;
    const { teamId, owners } = operators;
    const link = `${this.config.publicUrl}/console/system`;
    const expiresAt = new Date(now.getTime() + SELF_CHECK_MAIL_DAYS * DAY_MS);
    for (const { userId, email } of owners.slice(0, MAX_OWNERS)) {
      const id = `self_check ${now.toISOString()} ${userId}`;
      const mail = selfCheckMail(this.mails.brand, email, news, link);
      await this.mails.queue({ id, kind: 'self_check', teamId, userId, mail, expiresAt });
    }
  }
}

const keyOf = ({ name, egress }: SelfCheckResult) => `${name} ${egress}`;

function resultOf({
  check,
  egress,
  level,
  found,
  whatToDo,
  findings,
  remedy,
}: EgressFinding): SelfCheckResult {
  const detail = level === 'pass' || whatToDo === null ? found : `${found}. To do: ${whatToDo}`;
  return {
    name: check,
    egress,
    status: level === 'skipped' ? 'unknown' : level,
    detail: detail.replace(/\p{Cc}/gu, ' ').slice(0, MAX_DETAIL),
    findings,
    remedy: level === 'pass' ? null : remedy,
  };
}
