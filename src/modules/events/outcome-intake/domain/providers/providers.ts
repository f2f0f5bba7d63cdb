import { brevo } from './brevo.js';
import { kumomta } from './kumomta.js';
import { mailersend } from './mailersend.js';
import { mailgun } from './mailgun.js';
import { mailjet } from './mailjet.js';
import { mailtrap } from './mailtrap.js';
import { mandrill } from './mandrill.js';
import { postal } from './postal.js';
import { postmark } from './postmark.js';
import type { Provider } from './provider.js';
import { resend } from './resend.js';
import { sendgrid } from './sendgrid.js';
import { ses } from './ses.js';
import { sparkpost } from './sparkpost.js';

/** The providers whose events are understood, in the order in which the API lists them. */
const LIST = [
  ses,
  sendgrid,
  postmark,
  mailgun,
  resend,
  brevo,
  sparkpost,
  postal,
  mailjet,
  mandrill,
  mailersend,
  mailtrap,
  kumomta,
] as const;
export type SourceKind = (typeof LIST)[number]['kind'];

export const SOURCE_KINDS: readonly SourceKind[] = LIST.map(({ kind }) => kind);

export const PROVIDERS = Object.fromEntries(LIST.map((one) => [one.kind, one])) as Readonly<
  Record<SourceKind, Provider>
>;

/** What the secret of a source is, for the description of the API. */
export const SECRETS_ARE = LIST.map(({ secretIs }) => secretIs).join('; ');
