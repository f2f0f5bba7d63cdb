import { type Language, type Mail, untilText } from '../../../../kernel/mail.js';
import { OneTimeToken } from '../../../../kernel/one-time-token.js';
import type { UserId } from '../../../../kernel/principal.js';

/** The token in a sign-in link: it proves access to the mailbox. */
export const SIGN_IN_TOKEN = new OneTimeToken('rcpt_signin_');

export const LINK_MINUTES = 15;
export const SIGN_IN_KEY = { name: 'Console sign-in', hours: 12 };

/**
 * Anyone can request a link for any address, so the mails to a user are bounded, but nobody can use them
 * all up for the day: beyond `links` a valid link is sent again, and a new one every hour. All but the
 * last are per UTC day.
 */
export const MAX_PER_USER = { links: 10, linksFromOneSource: 5, repeats: 10, furtherLinksInAnHour: 1 };
/** Links to the mailbox of an unconfirmed user, per UTC day. */
export const MAX_FIRST_LINKS = 3;
export const MAX_REQUESTS_PER_SOURCE = 50;

/** A requested link. It is stored alike for every address, whether it belongs to a user or not. */
export interface SignInRequest {
  id: string;
  email: string;
  language: Language;
  /** The network of the client. */
  source: string;
  expiresAt: Date;
}

/** A link that was sent. Its token is stored as a digest, and encrypted so that the link can be sent again. */
export interface SignInLink {
  id: string;
  userId: UserId;
  token: string;
  expiresAt: Date;
}

/** The URL of a link. The fragment is not sent to the service: programs that check links do not use it up. */
export function signInUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/console#sign-in=${token}`;
}

type LinkMail = (brand: string, email: string, link: string, expiresAt: Date) => Mail;

export const signInMail: Readonly<Record<Language, LinkMail>> = {
  en: (brand, to, link, expiresAt) => ({
    to,
    subject: `Sign in to ${brand}`,
    text: [
      `A link to sign in to the console of ${brand} was requested for this address:`,
      link,
      '',
      `It can be used once, until ${untilText(expiresAt)}. Anyone with the link can sign in, so do not share it.`,
      'If you have not requested it, ignore this mail: the link alone changes nothing.',
      '',
    ].join('\n'),
  }),
  de: (brand, to, link, expiresAt) => ({
    to,
    subject: `Anmelden bei ${brand}`,
    text: [
      `Für diese Adresse wurde ein Link zur Anmeldung in der Konsole von ${brand} angefordert:`,
      link,
      '',
      `Er gilt einmal, bis ${untilText(expiresAt)}. Wer ihn hat, kann sich anmelden: Geben Sie ihn nicht weiter.`,
      'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Der Link allein ändert nichts.',
      '',
    ].join('\n'),
  }),
};

/** For a sign-up with the address of a confirmed member. */
export const accountExistsMail: Readonly<Record<Language, LinkMail>> = {
  en: (brand, to, link, expiresAt) => ({
    to,
    subject: `You have an account at ${brand}`,
    text: [
      `This address was used to sign up for ${brand}, but it belongs to an account.`,
      'If it was you, sign in to the console with this link:',
      link,
      '',
      `It can be used once, until ${untilText(expiresAt)}. Anyone with the link can sign in, so do not share it.`,
      'The console sends another one.',
      '',
      'If it was not you, ignore this mail: the sign-up gives no access to your account.',
      '',
    ].join('\n'),
  }),
  de: (brand, to, link, expiresAt) => ({
    to,
    subject: `Sie haben ein Konto bei ${brand}`,
    text: [
      `Mit dieser Adresse wollte jemand ein Konto bei ${brand} anlegen, aber sie gehört schon zu einem.`,
      'Wenn Sie es waren, melden Sie sich mit diesem Link in der Konsole an:',
      link,
      '',
      `Er gilt einmal, bis ${untilText(expiresAt)}. Wer ihn hat, kann sich anmelden: Geben Sie ihn nicht weiter.`,
      'Die Konsole sendet Ihnen einen neuen.',
      '',
      'Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Ihr Konto bleibt geschützt.',
      '',
    ].join('\n'),
  }),
};
