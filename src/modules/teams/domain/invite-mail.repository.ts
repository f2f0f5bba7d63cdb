import type { Mail } from '../../../kernel/mailer.js';
import type { WaitingInviteMail } from './invite-mail.js';
import type { InviteId } from './invite.js';

/** Port: invite mails that are not sent yet, unreadable to whoever sees only the database. */
export abstract class InviteMailRepository {
  abstract add(invite: InviteId, mail: Mail, dueAt: Date): Promise<void>;
  abstract remove(invite: InviteId): Promise<void>;

  /** Takes some that are due and puts each off to its next attempt, so that no other worker takes it too. */
  abstract claimDue(now: Date): Promise<WaitingInviteMail[]>;

  /** Removes the mails of invites that are no longer pending. */
  abstract removeEnded(now: Date): Promise<void>;
}
