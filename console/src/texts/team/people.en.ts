export const peopleEn = {
  confirm: {
    title: 'Confirm your address',
    intro:
      'If you have signed up with the address that this link was sent to, confirm it. You are then shown a live key, once; the test key from sign-up ends. If you have not, close this page.',
    submit: 'Confirm',
    no: 'Not now',
    done: 'Your address is confirmed.',
  },
  offeredKey: {
    replaceHint: 'A link wants to replace your session. What you enter afterwards goes to the other team.',
    linkHint: 'A link wants to sign you in. What you enter afterwards goes to this team.',
    invalid: 'The key of the link is not valid.',
  },
  refused: {
    title: 'You are not signed in',
    again: 'Sign in again',
    unknown: 'The identity provider has not signed you in.',
    reasons: {
      not_configured:
        'No identity provider is configured here. Sign in with a key, or ask the operator for an invite.',
      no_attempt:
        'This sign-in has expired, has been completed, or was begun in another browser. The browser must accept the cookie of this site.',
      invalid_response:
        'The response of the identity provider is not valid for this sign-in, or was used before.',
      unavailable:
        'The identity provider does not respond, or does not accept this service. Try again in a minute; if it lasts, tell the operator.',
      too_many: 'Too many sign-ins come from your network. Try again in a minute.',
      denied: 'The identity provider has not signed you in, or you have not given your consent.',
      no_address: 'The identity provider has not told your email address, or it is not valid.',
      not_verified:
        'The identity provider has not verified your email address. Verify it there, and sign in again.',
      foreign_domain:
        'Addresses of your domain may not sign in here. Sign in with an address of your organization.',
      not_a_member: 'Your address belongs to no team. Ask an administrator of your team for an invite.',
    },
  },
  missingList: {
    title: 'There is no such list',
    live: {
      isElsewhere: 'This list is in test mode',
      mayBeElsewhere:
        'It was deleted, or not started within 24 hours, belongs to another team, or is in test mode.',
      change: 'Switch to test mode',
    },
    test: {
      isElsewhere: 'This list is in live mode',
      mayBeElsewhere:
        'It was deleted, or not started within 24 hours, belongs to another team, or is in live mode.',
      change: 'Switch to live mode',
    },
  },
  invite: {
    title: 'Join the team',
    invited: (role: string) => `You are invited to join as ${role}.`,
    invitedBy: (inviter: string, role: string) => `${inviter} invites you to join as ${role}.`,
    details: (email: string, end: string) => `The invite is for ${email}. It can be used once, until ${end}.`,
    joinAs: (email: string, team: string) =>
      `You join as ${email}. The session stays signed in to “${team}”; the menu with the name of the team switches between them.`,
    otherAddress: (email: string) => `The invite was sent to ${email}. You can join with your own address.`,
    noUser:
      'The key of this session belongs to a team and not to a person, so that it cannot join. Sign out, and open the link again.',
    noLiveKey: 'A test key cannot join. Switch test mode off, and open the link again.',
    isMember: 'You are a member of this team already. The invite is used up.',
    addressHint:
      'The team sees another address than that of the invite as not confirmed, until you sign in by mail.',
    hasAccount: 'I have an account',
    isNew: 'I am new here',
    signInFirst:
      'Sign in with your account. You are then asked whether to join. After a link from a mail, come back to this tab.',
    notNow: 'Not now',
    invalidTitle: 'This invite is not valid',
    invalid:
      'It was used, revoked or replaced by a newer one, or has expired, or the link is incomplete. Ask the team for a new invite.',
    proceed: 'Continue',
  },
};
