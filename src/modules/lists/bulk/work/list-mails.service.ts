import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { InvalidCredential, InvalidRequest } from '../../../../kernel/errors.js';
import { type Language, MailCounts, OutgoingMails } from '../../../../kernel/mail.js';
import type { Principal, UserId } from '../../../../kernel/principal.js';
import { Config } from '../../../../platform/config/config.js';
import { UsersService } from '../../../identity/teams/users/users.service.js';
import type { BulkJob } from '../domain/bulk-job.js';
import { LIST_MAIL_DAYS, listMail, MAX_LIST_MAILS_PER_DAY } from '../domain/list-mail.js';
import { DAY_MS } from '../../../../kernel/durations.js';

/** The mail to the creator of a list that has ended. */
@Injectable()
export class ListMailsService {
  constructor(
    private readonly mails: OutgoingMails,
    private readonly counts: MailCounts,
    private readonly users: UsersService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * @param userId null: a service key.
   * @throws InvalidRequest when this user cannot be sent a mail; InvalidCredential when the user was deleted.
   */
  async requireMailable(userId: UserId | null): Promise<void> {
    if (!this.mails.areSent) throw refused('no_mail_server', 'This installation sends no mails.');
    if (userId === null)
      throw refused('no_user', 'A service key has no address. Use the key of a user, or a webhook.');
    const user = await this.users.get(userId);
    if (user === null) throw new InvalidCredential();
    if (user.confirmedAt === null)
      throw refused(
        'unconfirmed_address',
        'Your address is not confirmed. Sign in with a mailed link first.',
      );
  }

  /** @throws InvalidRequest unless the caller created the job, and may ask for a mail or for none. */
  async requireChange({ userId }: Principal, job: BulkJob, notify: Language | null): Promise<void> {
    if (userId === null || job.createdBy !== userId)
      throw refused('not_creator', 'Only the user who created the job, who gets the mail, may change this.');
    if (notify === null) return;
    if (job.isEnded) throw refused('already_ended', 'The job has ended.');
    await this.requireMailable(userId);
  }

  /**
   * Queues the mail about a job that has completed or failed, if one was asked for, in the open unit of work. None is
   * sent to a creator who has left the team, or beyond the allowance of the team.
   */
  async queue(job: BulkJob): Promise<void> {
    const { id, teamId, createdBy, notify, state } = job;
    if (notify === null || createdBy === null || state === 'canceled' || !this.mails.areSent) return;
    const user = await this.users.get(createdBy);
    const isMember = (await this.users.memberships(createdBy)).some((member) => member.teamId === teamId);
    if (user === null || user.confirmedAt === null || !isMember) return;
    const now = this.clock.now();
    if (!(await this.counts.count(`lists of ${teamId}`, now, MAX_LIST_MAILS_PER_DAY))) return;
    const link = `${this.config.publicUrl}/console/lists/${id}`;
    const mail = listMail[notify](this.mails.brand, user.email, job, link);
    const expiresAt = new Date(now.getTime() + LIST_MAIL_DAYS * DAY_MS);
    await this.mails.queue({ id, kind: 'list', teamId, userId: user.id, mail, expiresAt });
  }

  /** The mail is not sent any more, if it still waits. */
  async cancel({ id, notify }: BulkJob): Promise<void> {
    if (notify !== null) await this.mails.cancel([id]);
  }
}

function refused(code: string, message: string): InvalidRequest {
  return new InvalidRequest([{ pointer: '/notify', code, message }]);
}
