import { Injectable } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { Mailer, type Mail } from '../../kernel/mail.js';
import { Config } from '../config/config.js';

/** In total below one minute, after which the mail may be retried. */
const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 8_000,
  greetingTimeout: 8_000,
  socketTimeout: 10_000,
};

/** Sends mail through the operator's SMTP server, with one connection per mail. */
@Injectable()
export class SmtpMailer extends Mailer {
  private transport: Promise<Transporter> | null = null;

  constructor(private readonly config: Config) {
    super();
  }

  get isConfigured(): boolean {
    return this.config.inviteMail !== null;
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    const { inviteMail, mailBrand } = this.config;
    if (inviteMail === null) throw new Error('No mail server is configured');
    const { url, from } = inviteMail;
    const transport = await (this.transport ??= openTransport(url));
    await transport.sendMail({
      from: { name: mailBrand, address: from },
      // An object and an explicit envelope prevent that the address is parsed as a list.
      to: { name: '', address: to },
      envelope: { from, to: [to] },
      subject,
      text,
      // RFC 3834 §5: suppresses automatic replies.
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  }
}

/** Opens no connection. The library is loaded for the first mail. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, ...TIMEOUTS, disableFileAccess: true, disableUrlAccess: true });
}
