import type { TeamId, UserId } from './principal.js';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text with `\n` line ends. */
  text: string;
}

/** Of mails. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The end of a link, as mails say it. */
export function untilText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export abstract class Mailer {
  /** False: no mail server is configured and no mail is sent. */
  abstract readonly isConfigured: boolean;

  /** @throws when the server does not accept the mail; it can be retried. */
  abstract send(mail: Mail): Promise<void>;
}

/** A mail that a worker sends later. */
export interface OutgoingMail {
  /** The id of the invite, user, sign-in link, job or run; of a self-check, of its run and the owner. At most one mail per id is pending. */
  id: string;
  kind: 'invite' | 'signup' | 'signin' | 'list' | 'self_check' | 'schedule';
  /** The mail is not sent after this team is deleted. */
  teamId: TeamId;
  mail: Mail;
  expiresAt: Date;
  /** `cancelOfUsers` removes it; absent: its id says whose it is, or it expires soon. */
  userId?: UserId;
}

/** Port: the queue of outgoing mails. Call it in the unit of work of the change that the mail reports. */
export abstract class OutgoingMails {
  /** False: no mail server is configured, or the service is paused. */
  abstract readonly areSent: boolean;

  /** What the service is called in mails. */
  abstract readonly brand: string;

  abstract queue(mail: OutgoingMail): Promise<void>;

  /** Removes the pending mails of this kind of a team. */
  abstract cancelOf(teamId: TeamId, kind: OutgoingMail['kind']): Promise<void>;

  abstract cancel(ids: readonly string[]): Promise<void>;

  /** Removes the pending mails of these users. */
  abstract cancelOfUsers(users: readonly UserId[]): Promise<void>;
}

/**
 * Port: how many mails were sent in a UTC day about a subject, such as a recipient or the network of a client. Whatever
 * mail a stranger can cause is counted for its recipient, over all teams.
 */
export abstract class MailCounts {
  /**
   * Counts one; safe under concurrency.
   *
   * @param subject stored as a keyed hash.
   * @returns false when the limit is reached; it is not counted then.
   */
  abstract count(subject: string, now: Date, max: number): Promise<boolean>;
}

/**
 * The key of the limit on mails to one mailbox. Providers deliver `jane.doe+1@…` and `janedoe@…` to one
 * mailbox, so dots and the text after a plus sign are ignored; where they are different mailboxes, they
 * share the limit.
 *
 * @param email with its domain as A-labels.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const name = email.slice(0, at).replace(/\+.*$/s, '').replaceAll('.', '');
  return `${name}${email.slice(at)}`.toLowerCase();
}
