import { TabValue } from '../../api/tab-value';

// The tokens of links, kept until they are used.

export const inviteToken = new TabValue('rcpt.invite');
/** The key of a link that was opened in a tab with another session. */
export const offeredKey = new TabValue('rcpt.offered-key');
export const signInToken = new TabValue('rcpt.sign-in');
