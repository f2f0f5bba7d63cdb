export interface Mail {
  to: string;
  subject: string;
  /** Plain text with `\n` line ends. */
  text: string;
}

/** Port: sends mail. */
export abstract class Mailer {
  /** False: no mail server is configured and no mail is sent. */
  abstract readonly isConfigured: boolean;

  /** @throws when the server does not accept the mail; it can be retried. */
  abstract send(mail: Mail): Promise<void>;
}
