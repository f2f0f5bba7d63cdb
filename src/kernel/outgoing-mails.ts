import type { TeamId } from './principal.js';
import type { Mail } from './mailer.js';

/** A mail that is sent later, by a worker. */
export interface OutgoingMail {
  /** The id of what it is about, an invite or a user: of each at most one mail waits. */
  id: string;
  kind: 'invite' | 'signup';
  /** It is not sent once its team is gone. */
  teamId: TeamId;
  mail: Mail;
  /** It is of no use after this, and not sent. */
  expiresAt: Date;
}

/** Port: mails that wait to be sent. Written in the unit of work that they tell of. */
export abstract class OutgoingMails {
  /** False: no mail server is configured, and nothing is sent. */
  abstract readonly areSent: boolean;

  abstract queue(mail: OutgoingMail): Promise<void>;

  /** What they were about has ended; they are not needed any more. */
  abstract cancel(ids: readonly string[]): Promise<void>;
}
