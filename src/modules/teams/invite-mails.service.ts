import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Mailer } from '../../kernel/mailer.js';
import { inviteMail, MOST_MAIL_ATTEMPTS, type WaitingInviteMail } from './domain/invite-mail.js';
import { InviteMailRepository } from './domain/invite-mail.repository.js';
import type { Invite, InviteId } from './domain/invite.js';

/** What the sending of invites is told by whoever wires it. */
export abstract class InviteMailSettings {
  /** The service's address as callers see it. */
  abstract readonly publicUrl: string;

  /** Hears of a mail that was not sent; it is tried again, unless that was the last time. */
  abstract onFailure(mail: WaitingInviteMail, error: unknown): void;
}

/** Mails that carry invites: written with the invite, sent later by the worker. */
@Injectable()
export class InviteMailsService {
  constructor(
    private readonly waiting: InviteMailRepository,
    private readonly mailer: Mailer,
    private readonly settings: InviteMailSettings,
    private readonly clock: Clock,
  ) {}

  /** False: no mail server is configured, and the link is only in the answer. */
  get areSent(): boolean {
    return this.mailer.isConfigured;
  }

  /** Where a person who was invited learns how to accept. */
  acceptUrl(token: string): string {
    return `${this.settings.publicUrl}/accept-invite?token=${token}`;
  }

  /** Inside the unit of work that makes the invite. */
  queue(invite: Invite, teamName: string, token: string): Promise<void> {
    return this.waiting.add(invite.id, inviteMail(invite, teamName, this.acceptUrl(token)), this.clock.now());
  }

  /** The invite has ended; its mail is not needed any more. */
  cancel(invite: InviteId): Promise<void> {
    return this.waiting.remove(invite);
  }

  /**
   * Sends what is due. A worker that ends between sending and noting it sends that
   * mail twice; a mail that is not taken is tried again, later each time.
   *
   * @returns how many were sent.
   */
  async sendDue(): Promise<number> {
    const now = this.clock.now();
    await this.waiting.removeEnded(now);
    if (!this.mailer.isConfigured) return 0;
    const due = await this.waiting.claimDue(now);
    const sent = await Promise.all(due.map((each) => this.send(each)));
    return sent.filter(Boolean).length;
  }

  private async send(waiting: WaitingInviteMail): Promise<boolean> {
    const { inviteId, attempts, mail } = waiting;
    try {
      if (mail === null) throw new Error('SECRET_KEY lists no key that opens this mail');
      await this.mailer.send(mail);
    } catch (error) {
      this.settings.onFailure(waiting, error);
      if (attempts >= MOST_MAIL_ATTEMPTS) await this.waiting.remove(inviteId);
      return false;
    }
    await this.waiting.remove(inviteId);
    return true;
  }
}
