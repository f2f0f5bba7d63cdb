import type { Transporter } from 'nodemailer';
import { Mailer, type Mail } from '../../kernel/mailer.js';

export interface SmtpMailerOptions {
  /** `smtp://` (STARTTLS where it is offered) or `smtps://`, with user and password if the server asks. */
  url: string;
  /** The address in From and in MAIL FROM. */
  from: string;
}

/** One mail's whole journey is well under a minute: then it may be tried again. */
const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
};

/** Hands mail to the operator's own server; one connection a mail, since invites are few. */
export class SmtpMailer extends Mailer {
  private transport: Promise<Transporter> | null = null;

  /** @param options null: no server is configured. */
  constructor(private readonly options: SmtpMailerOptions | null) {
    super();
  }

  get isConfigured(): boolean {
    return this.options !== null;
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    if (this.options === null) throw new Error('No mail server is configured');
    const { url, from } = this.options;
    const transport = await (this.transport ??= openTransport(url));
    await transport.sendMail({
      from: { name: 'Rcpt', address: from },
      // As an object and in an envelope of its own, an address is never read as a list of several.
      to: { name: '', address: to },
      envelope: { from, to: [to] },
      subject,
      text,
      // RFC 3834 §5: nobody's out-of-office reply is wanted.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }
}

/** Dials nothing. The library is loaded for the first mail. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
}
