import { createHash, randomBytes } from 'node:crypto';

/**
 * The text of an invite token: `rcpt_invite_` and 32 random bytes in base64url,
 * which needs no escaping in a link. Holding it is the proof that one is invited.
 */

const PREFIX = 'rcpt_invite_';
const SHAPE = /^rcpt_invite_[\w-]{43}$/;

export function newInviteToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** Whether the text could be an invite token at all; then it holds nothing but `[A-Za-z0-9_-]`. */
export function looksLikeInviteToken(text: string): boolean {
  return SHAPE.test(text);
}

/** What is stored: 32 bytes. A plain digest will do, because the token has no dictionary. */
export function digestOfInviteToken(token: string): Buffer {
  return createHash('sha256').update(token, 'ascii').digest();
}
