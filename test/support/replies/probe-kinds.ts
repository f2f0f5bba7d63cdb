import type { SmtpCategory } from '../../../src/kernel/verdict.js';

/**
 * Texts of our own for kinds of replies, each with the meaning that every reply of the kind has. No text is
 * among the training data: what a kind has in common must lead to the meaning, not the wording.
 */
export interface ReplyProbes {
  kind: string;
  /** The meanings that are right. */
  are: readonly SmtpCategory[];
  texts: readonly string[];
}

export const PROBED_RECIPIENT = 'jane.made-up@corp.test';

export const UNKNOWN: readonly SmtpCategory[] = ['mailbox_not_found'];
export const CLOSED: readonly SmtpCategory[] = ['mailbox_disabled'];
export const FULL: readonly SmtpCategory[] = ['mailbox_full'];
/** No statement about the mailbox. */
export const NOTHING: readonly SmtpCategory[] = ['policy', 'sender_blocked', 'temporary', 'protocol'];
