import { TabValue, useTabValue } from '../../api/tab-value';

// What the fragments of links contain, kept until it is used.

export const confirmToken = new TabValue('rcpt.confirm');
export const inviteToken = new TabValue('rcpt.invite');
/** The key of a link that was opened in a tab with another session. */
export const offeredKey = new TabValue('rcpt.offered-key');
/** The id of the request of a program. */
export const authorizeRequest = new TabValue('rcpt.authorize');
export const signInToken = new TabValue('rcpt.sign-in');
/** Why the identity provider of the operator has signed nobody in. */
export const refusal = new TabValue('rcpt.refused');

export type Question = 'confirm' | 'sign-in' | 'key' | 'refused' | 'invite' | 'authorize';

/** What a link of this tab asks, on any page; null: nothing. What needs a sign-in comes last. */
export function useQuestion(key: string | null): Question | null {
  const hasConfirm = useTabValue(confirmToken) !== null;
  const hasSignIn = useTabValue(signInToken) !== null;
  const offered = useTabValue(offeredKey);
  const isRefused = useTabValue(refusal) !== null;
  const isAsked = useTabValue(authorizeRequest) !== null;
  const isInvited = useTabValue(inviteToken) !== null;
  if (hasConfirm) return 'confirm';
  if (hasSignIn) return 'sign-in';
  if (offered !== null && offered !== key) return 'key';
  if (isRefused) return 'refused';
  if (isInvited) return 'invite';
  return isAsked ? 'authorize' : null;
}
