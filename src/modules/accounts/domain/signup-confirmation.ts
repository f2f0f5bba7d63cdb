import type { TeamId, UserId } from '../../../kernel/principal.js';
import type { Mail } from '../../../kernel/mailer.js';
import { OneTimeToken } from '../../../kernel/one-time-token.js';

/** Stands in the link that is sent to who signs up: holding it is the proof that they read that address's mail. */
export const CONFIRMATION_TOKEN = new OneTimeToken('rcpt_signup_');

export const CONFIRMATION_DAYS = 7;

/** Links sent in one UTC day. The address need not be that of who signs up, so its owner is spared. */
export const MOST_MAILS_TO_ONE_ADDRESS = 3;
export const MOST_MAILS_FROM_ONE_PLACE = 20;

/** A link that was sent, and not followed yet. Its token is not here, only the digest. */
export interface SignupConfirmation {
  userId: UserId;
  teamId: TeamId;
  tokenDigest: Buffer;
  expiresAt: Date;
}

/**
 * What the limit on mails to one address counts. Providers deliver `jane.doe+1@…` and `janedoe@…` to
 * one mailbox, so neither dots nor what follows a plus sign count; where they are different people,
 * these share the limit.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const name = email.slice(0, at).replace(/\+.*$/s, '').replaceAll('.', '');
  return `${name}${email.slice(at)}`.toLowerCase();
}

/** Nothing that the one who signed up could choose is in it but the address: they would choose advertisements. */
export function confirmationMail(email: string, link: string, expiresAt: Date): Mail {
  const lastDay = expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  return {
    to: email,
    subject: 'Confirm your address for Rcpt',
    text: [
      'Somebody has signed up for Rcpt with this address. If it was you, follow this link:',
      link,
      '',
      'It confirms that the address is yours and shows you a live key. The test key that was shown at',
      'sign-up ends then: whoever signed up need not be the one who reads this mail.',
      `The link can be used once, until ${lastDay} UTC. Keep it to yourself.`,
      '',
      'If it was not you, do nothing: no live key is made, and the address stays yours to use.',
      '',
    ].join('\n'),
  };
}
