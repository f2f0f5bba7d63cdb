import { OneTimeToken } from '../../../../kernel/one-time-token.js';

/** Proves the invitation. Who creates the invite gets it too. */
export const INVITE_TOKEN = new OneTimeToken('rcpt_invite_');

/**
 * Proves access to the mailbox of the invite: only the mailed link has it, after the token and a dot. So whoever uses
 * that link has a confirmed address, and whoever got the token in another way has not.
 */
export const MAILBOX_PROOF = new OneTimeToken('');

/** A token, with or without the proof. */
export const INVITE_LINK_TOKEN = new RegExp(
  `${INVITE_TOKEN.format.source.slice(0, -1)}(?:\\.${MAILBOX_PROOF.format.source.slice(1, -1)})?$`,
);

export interface ReadInviteToken {
  digest: Buffer;
  /** null: without a proof. */
  proofDigest: Buffer | null;
}

/** @returns null for a malformed token. */
export function readInviteToken(text: string): ReadInviteToken | null {
  if (!INVITE_LINK_TOKEN.test(text)) return null;
  const [token = '', proof] = text.split('.');
  return {
    digest: INVITE_TOKEN.digest(token),
    proofDigest: proof === undefined ? null : MAILBOX_PROOF.digest(proof),
  };
}
