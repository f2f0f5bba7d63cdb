/** Port: who operates a mail server. */
export abstract class MailOperators {
  /** The registrable domain of the host. */
  abstract operatorOf(host: string): string;
}
