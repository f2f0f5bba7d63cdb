import { Injectable } from '@nestjs/common';
import { OutgoingMails } from '../../kernel/outgoing-mails.js';
import { inviteMail } from './domain/invite-mail.js';
import type { Invite, InviteId } from './domain/invite.js';

/** What whoever wires it knows of the links in invites. */
export abstract class InviteMailSettings {
  /** The service's address as callers see it. */
  abstract readonly publicUrl: string;
}

/** Mails that carry invites: written with the invite, sent later by the worker. */
@Injectable()
export class InviteMailsService {
  constructor(
    private readonly mails: OutgoingMails,
    private readonly settings: InviteMailSettings,
  ) {}

  /** False: no mail server is configured, and the link is only in the answer. */
  get areSent(): boolean {
    return this.mails.areSent;
  }

  /** Where a person who was invited learns how to accept. */
  acceptUrl(token: string): string {
    return `${this.settings.publicUrl}/accept-invite?token=${token}`;
  }

  /** Inside the unit of work that makes the invite. */
  queue(invite: Invite, teamName: string, token: string): Promise<void> {
    const { id, teamId, expiresAt } = invite;
    const mail = inviteMail(invite, teamName, this.acceptUrl(token));
    return this.mails.queue({ id, kind: 'invite', teamId, mail, expiresAt });
  }

  /** The invites have ended; their mails are not needed any more. */
  cancel(...invites: readonly InviteId[]): Promise<void> {
    return this.mails.cancel(invites);
  }
}
