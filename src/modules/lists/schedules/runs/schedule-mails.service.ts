import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { DAY_MS } from '../../../../kernel/durations.js';
import { InvalidRequest } from '../../../../kernel/errors.js';
import { MailCounts, OutgoingMails, type Language, type Mail } from '../../../../kernel/mail.js';
import type { Principal } from '../../../../kernel/principal.js';
import { Config } from '../../../../platform/config/config.js';
import { UsersService } from '../../../identity/teams/users/users.service.js';
import { ListMailsService } from '../../bulk/work/list-mails.service.js';
import { confirmationMail, MAX_CONFIRMATION_MAILS_PER_DAY } from '../domain/confirmation-mail.js';
import { FAILURE_MAIL_DAYS, failureMail, MAX_FAILURE_MAILS_PER_DAY } from '../domain/failure-mail.js';
import type { Failure } from '../domain/failure.js';
import type { Schedule } from '../domain/schedule.js';
import type { ScheduleRun } from '../domain/schedule-run.js';

/** How many mails about a subject are sent in a UTC day. */
interface Allowance {
  subject: string;
  max: number;
}

/** The mails to the creator of a schedule. Each is queued in the open unit of work. */
@Injectable()
export class ScheduleMailsService {
  constructor(
    private readonly mails: OutgoingMails,
    private readonly counts: MailCounts,
    private readonly users: UsersService,
    private readonly lists: ListMailsService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether this caller may have a schedule with this choice.
   *
   * @throws InvalidRequest unless the caller created it, and can be sent a mail if one is asked for.
   */
  async requireMayNotify(
    { userId }: Principal,
    { createdBy }: Pick<Schedule, 'createdBy'>,
    notify: Language | null,
  ): Promise<void> {
    if (notify !== null) await this.lists.requireMailable(userId);
    if (userId !== createdBy) throw new InvalidRequest([NOT_CREATOR]);
  }

  /** A run asks for a confirmation. */
  async needsConfirmation(schedule: Schedule, run: ScheduleRun): Promise<void> {
    const { teamId: team, name } = schedule;
    const allowance = { subject: `schedules of ${team}`, max: MAX_CONFIRMATION_MAILS_PER_DAY };
    const link = this.linkTo(schedule);
    const mailTo = (to: string) => confirmationMail(this.mails.brand, to, { name, run, link });
    await this.queue(schedule, run, allowance, mailTo);
  }

  /** A run has failed. @param isDisabled whether that has disabled the schedule. */
  async failed(schedule: Schedule, run: ScheduleRun, failure: Failure, isDisabled: boolean): Promise<void> {
    const { id, name, notify } = schedule;
    if (notify === null) return;
    const allowance = { subject: `failures of ${id}`, max: MAX_FAILURE_MAILS_PER_DAY };
    const about = { name, failure, isDisabled, link: this.linkTo(schedule) };
    await this.queue(schedule, run, allowance, (to) => failureMail(notify, this.mails.brand, to, about));
  }

  /** Those about a run are not sent any more, if they still wait. */
  cancel({ id }: ScheduleRun): Promise<void> {
    return this.mails.cancel([id]);
  }

  /** None is sent to a creator who has left the team, or beyond the allowance. */
  private async queue(
    { teamId, createdBy }: Schedule,
    { id, confirmBy }: ScheduleRun,
    { subject, max }: Allowance,
    mailTo: (to: string) => Mail,
  ): Promise<void> {
    if (createdBy === null || !this.mails.areSent) return;
    const user = await this.users.get(createdBy);
    const isMember = (await this.users.memberships(createdBy)).some((member) => member.teamId === teamId);
    if (user === null || user.confirmedAt === null || !isMember) return;
    const now = this.clock.now();
    if (!(await this.counts.count(subject, now, max))) return;
    const expiresAt = confirmBy ?? new Date(now.getTime() + FAILURE_MAIL_DAYS * DAY_MS);
    await this.mails.queue({
      id,
      kind: 'schedule',
      teamId,
      userId: user.id,
      mail: mailTo(user.email),
      expiresAt,
    });
  }

  private linkTo({ id }: Schedule): string {
    return `${this.config.publicUrl}/console/schedules/${id}`;
  }
}

const NOT_CREATOR = {
  pointer: '/notify',
  code: 'not_creator',
  message: 'Only the user who created the schedule, who gets the mail, may change this.',
};
