import { Injectable } from '@nestjs/common';
import { OutgoingMails } from '../../kernel/outgoing-mails.js';
import { inviteMail } from './domain/invite-mail.js';
import type { Invite, InviteId } from './domain/invite.js';

/** Provided by the module. */
export abstract class InviteMailSettings {
  /** The public URL of the service. */
  abstract readonly publicUrl: string;
}

/** Invite mails: queued with the invite, sent later by the worker. */
@Injectable()
export class InviteMailsService {
  constructor(
    private readonly mails: OutgoingMails,
    private readonly settings: InviteMailSettings,
  ) {}

  /** False: no mail server is configured, and the link is only in the response. */
  get areSent(): boolean {
    return this.mails.areSent;
  }

  /** The URL that explains how to accept the invite. */
  acceptUrl(token: string): string {
    return `${this.settings.publicUrl}/accept-invite#token=${token}`;
  }

  /** Inside the unit of work that makes the invite. @param teamName null: not named. */
  queue(invite: Invite, teamName: string | null, token: string): Promise<void> {
    const { id, teamId, expiresAt } = invite;
    const mail = inviteMail(invite, teamName, this.acceptUrl(token));
    return this.mails.queue({ id, kind: 'invite', teamId, mail, expiresAt });
  }

  /** Cancels queued mails of invites that have ended. */
  cancel(...invites: readonly InviteId[]): Promise<void> {
    return this.mails.cancel(invites);
  }
}
