import type { OutcomeKind } from './outcomes.js';
import type { SmtpCategory } from './verdict.js';

/** An outcome as somebody reports it. What is not stated is null or missing. */
export interface OutcomeReport {
  email: string;
  outcome: OutcomeKind;
  /** null: now. */
  at?: Date | null;
  /** The reply of the server, with or without its codes. */
  reply?: string | null;
  code?: number | null;
  enhancedCode?: string | null;
  messageId?: string | null;
  /** The address that the reply is about, if it is another one. */
  finalRecipient?: string;
  /** The address to which the report was sent: the sender of the mail, or another of its domain. */
  sender?: string | null;
  /** The name of the server that replied. */
  remoteHost?: string | null;
  /** What the source says itself of a bounce, in place of a reply. */
  statement?: string | null;
  /** The category of the source, for a bounce without a reply. */
  category?: SmtpCategory | null;
  /** The source calls the failure temporary, or the reply is to another command than the one with the recipient. */
  neverHard?: boolean;
  /** Of a source that can tell both: whether the mail has only left it, or has arrived. Missing: it tells one. */
  isSentOnly?: boolean;
}

/** Why an entry of a request is not used. */
export interface IgnoredReport {
  code: string;
  message: string;
}

/** An entry of a request: an outcome, or why it is none. */
export type ReportEntry = OutcomeReport | IgnoredReport;
