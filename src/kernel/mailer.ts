export interface Mail {
  to: string;
  subject: string;
  /** Plain text, lines apart by `\n`. */
  text: string;
}

/** Port: sends mail to people. */
export abstract class Mailer {
  /** False: no mail server is configured, and nothing is sent. */
  abstract readonly isConfigured: boolean;

  /** @throws when the server did not take it; then it may be tried again. */
  abstract send(mail: Mail): Promise<void>;
}
