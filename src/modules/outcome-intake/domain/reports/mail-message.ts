/** One part of a message that has no parts of its own, decoded. */
export interface MailPart {
  /** In lower case, without parameters. */
  type: string;
  text: string;
}

/** A message, as far as a report needs it. */
export interface MailMessage {
  /** Names in lower case; the first of each name. */
  header: (name: string) => string | null;
  /** The text for people. */
  text: string;
  /** Parts that are not text for people, among them `message/delivery-status`. */
  parts: readonly MailPart[];
}

/** Port: parses a message (RFC 5322, RFC 2045). */
export abstract class MessageParser {
  /** @throws MalformedReport if it is no message, or is nested too deeply. */
  abstract parse(bytes: Buffer): Promise<MailMessage>;
}
