/** One part of a message that has no parts of its own, decoded. */
export interface MailPart {
  /** In lower case, without parameters. */
  type: string;
  text: string;
}

/** A message, as far as a report needs it. Lines end in LF. */
export interface MailMessage {
  /** Names in lower case; the first of each name. */
  header: (name: string) => string | null;
  /** The text for people. */
  text: string;
  /** The parts up to the first returned message or its header, which is the last one. */
  parts: readonly MailPart[];
}
