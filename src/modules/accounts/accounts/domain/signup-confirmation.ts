import type { TeamId, UserId } from '../../../../kernel/principal.js';
import { type Language, type Mail, untilText } from '../../../../kernel/mail.js';
import { OneTimeToken } from '../../../../kernel/one-time-token.js';

/** The token in a sign-up link: it proves access to the mailbox. */
export const CONFIRMATION_TOKEN = new OneTimeToken('rcpt_signup_');

export const CONFIRMATION_DAYS = 7;

/** Links sent per UTC day. The address may belong to somebody else, so the number is low. */
export const MAX_MAILS_PER_ADDRESS = 3;
export const MAX_MAILS_PER_SOURCE = 20;

/** A link that has been sent and not used. Only the digest of its token is stored. */
export interface SignupConfirmation {
  userId: UserId;
  teamId: TeamId;
  tokenDigest: Buffer;
  expiresAt: Date;
}

/**
 * Contains no text chosen by the user who signs up except the address, so that it cannot be used to
 * send advertisements.
 */
export const confirmationMail: Readonly<
  Record<Language, (brand: string, email: string, link: string, expiresAt: Date) => Mail>
> = {
  en: (brand, to, link, expiresAt) => ({
    to,
    subject: `Confirm your address for ${brand}`,
    text: [
      `This address was used to sign up for ${brand}. If it was you, open this link:`,
      link,
      '',
      'It confirms the address and shows a live key. The test key that was shown at sign-up is then',
      'revoked, because the user who signed up may not be the recipient of this mail.',
      `The link can be used once, until ${untilText(expiresAt)}. Do not share it.`,
      '',
      'If it was not you, ignore this mail: no live key is created, and you can still sign up.',
      '',
    ].join('\n'),
  }),
  de: (brand, to, link, expiresAt) => ({
    to,
    subject: `Bestätigen Sie Ihre Adresse für ${brand}`,
    text: [
      `Mit dieser Adresse wurde ein Konto bei ${brand} angelegt. Wenn Sie es waren, öffnen Sie diesen Link:`,
      link,
      '',
      'Er bestätigt die Adresse und zeigt einen Live-Schlüssel. Der Testschlüssel, der beim Anlegen gezeigt wurde,',
      'wird dann ungültig, denn wer das Konto angelegt hat, muss nicht der Empfänger dieser E-Mail sein.',
      `Der Link gilt einmal, bis ${untilText(expiresAt)}. Geben Sie ihn nicht weiter.`,
      '',
      'Wenn Sie es nicht waren, ignorieren Sie diese E-Mail: Es entsteht kein Live-Schlüssel, und Sie können weiterhin ein Konto anlegen.',
      '',
    ].join('\n'),
  }),
};
