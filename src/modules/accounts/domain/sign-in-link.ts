import type { Mail } from '../../../kernel/mailer.js';
import { OneTimeToken } from '../../../kernel/one-time-token.js';
import type { UserId } from '../../../kernel/principal.js';

/** The token in a sign-in link: it proves access to the mailbox. */
export const SIGN_IN_TOKEN = new OneTimeToken('rcpt_signin_');

export const LINK_MINUTES = 15;
export const SIGN_IN_KEY = { name: 'Console sign-in', hours: 12 };

/** Links per UTC day. Anyone can request a link for any address. */
export const MAX_LINKS_PER_ADDRESS = 10;
export const MAX_LINKS_PER_SOURCE = 50;

/** A requested link. It is stored alike for every address, whether it belongs to a user or not. */
export interface SignInRequest {
  id: string;
  email: string;
  expiresAt: Date;
}

/** A link that was sent. Only the digest of its token is stored. */
export interface SignInLink {
  id: string;
  userId: UserId;
  tokenDigest: Buffer;
}

export function signInMail(email: string, link: string, expiresAt: Date): Mail {
  const end = expiresAt.toISOString().slice(0, 16).replace('T', ' ');
  return {
    to: email,
    subject: 'Sign in to Rcpt',
    text: [
      'A link to sign in to the console of Rcpt was requested for this address:',
      link,
      '',
      `It can be used once, until ${end} UTC. Anyone with the link can sign in, so do not share it.`,
      'If you have not requested it, ignore this mail: the link alone changes nothing.',
      '',
    ].join('\n'),
  };
}
