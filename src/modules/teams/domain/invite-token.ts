import { OneTimeToken } from '../../../kernel/one-time-token.js';

/** Holding it is the proof that one is invited. */
const INVITE_TOKEN = new OneTimeToken('rcpt_invite_');

export function newInviteToken(): string {
  return INVITE_TOKEN.create();
}

/** Whether the text could be an invite token at all; then it holds nothing but `[A-Za-z0-9_-]`. */
export function looksLikeInviteToken(text: string): boolean {
  return INVITE_TOKEN.matches(text);
}

/** What is stored. */
export function digestOfInviteToken(token: string): Buffer {
  return INVITE_TOKEN.digest(token);
}
