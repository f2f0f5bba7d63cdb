import { OneTimeToken } from '../../../kernel/one-time-token.js';

/** The token proves the invitation. */
export const INVITE_TOKEN = new OneTimeToken('rcpt_invite_');

export function newInviteToken(): string {
  return INVITE_TOKEN.create();
}

/** Whether the text has the form of an invite token; then it consists of `[A-Za-z0-9_-]`. */
export function looksLikeInviteToken(text: string): boolean {
  return INVITE_TOKEN.matches(text);
}

/** The stored digest. */
export function digestOfInviteToken(token: string): Buffer {
  return INVITE_TOKEN.digest(token);
}
