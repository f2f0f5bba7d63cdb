/** Port: the host of a mail server. */
export abstract class MailHosts {
  /** The registrable domain of its name. */
  abstract hostOf(server: string): string;
}
