import { createTransport, type Transporter } from 'nodemailer';
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
  private readonly transport: Transporter | null;
  private readonly from: string;

  /** @param options null: no server is configured. */
  constructor(options: SmtpMailerOptions | null) {
    super();
    this.from = options?.from ?? '';
    this.transport =
      options &&
      createTransport({ url: options.url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
  }

  get isConfigured(): boolean {
    return this.transport !== null;
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    if (this.transport === null) throw new Error('No mail server is configured');
    await this.transport.sendMail({
      from: { name: 'Rcpt', address: this.from },
      // As an object and in an envelope of its own, an address is never read as a list of several.
      to: { name: '', address: to },
      envelope: { from: this.from, to: [to] },
      subject,
      text,
      // RFC 3834 §5: nobody's out-of-office reply is wanted.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }
}
