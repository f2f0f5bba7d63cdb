import type { TeamId } from './principal.js';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text with `\n` line ends. */
  text: string;
}

export abstract class Mailer {
  /** False: no mail server is configured and no mail is sent. */
  abstract readonly isConfigured: boolean;

  /** @throws when the server does not accept the mail; it can be retried. */
  abstract send(mail: Mail): Promise<void>;
}

/** A mail that a worker sends later. */
export interface OutgoingMail {
  /** The id of the invite, user or sign-in link. At most one mail per id is pending. */
  id: string;
  kind: 'invite' | 'signup' | 'signin';
  /** The mail is not sent after this team is deleted. */
  teamId: TeamId;
  mail: Mail;
  expiresAt: Date;
}

/** Port: the queue of outgoing mails. Call it in the unit of work of the change that the mail reports. */
export abstract class OutgoingMails {
  /** False: no mail server is configured and no mail is sent. */
  abstract readonly areSent: boolean;

  abstract queue(mail: OutgoingMail): Promise<void>;

  /** Removes the pending mails of this kind of a team. */
  abstract cancelOf(teamId: TeamId, kind: OutgoingMail['kind']): Promise<void>;

  abstract cancel(ids: readonly string[]): Promise<void>;
}
