import { verdictsEn } from './verdicts.en';
import { formsEn } from './forms.en';
import type { auditEn } from './team/audit.en';
import type { authorizeEn } from './team/authorize.en';
import type { breakdownEn } from './lists/breakdown.en';
import type { candidatesEn } from './candidates.en';
import type { checkSentencesEn } from './system/check-sentences.en';
import type { commandsEn } from './commands.en';
import type { domainFactsEn } from './verify/domain-facts.en';
import type { heldEn } from './lists/held.en';
import type { keptEn } from './lists/kept.en';
import type { keyboardEn } from './keyboard.en';
import type { listMailsEn } from './lists/list-mails.en';
import type { listsEn } from './lists/lists.en';
import type { outcomesEn } from './outcomes.en';
import type { policyEn } from './policy.en';
import type { peopleEn } from './team/people.en';
import type { keyLimitsEn } from './team/key-limits.en';
import type { publishableEn } from './team/publishable.en';
import type { scheduleFormEn } from './schedules/schedule-form.en';
import type { schedulesEn } from './schedules/schedules.en';
import type { shortReasonsEn } from './lists/short-reasons.en';
import type { stepsEn } from './steps.en';
import type { teamEn } from './team.en';
import type { webhooksEn } from './webhooks.en';

export const en = {
  /** By the code of a problem; the API has English titles. */
  problem: {} as Readonly<Record<string, string>>,
  ...formsEn,
  ...verdictsEn,
  nav: {
    verify: 'Verify',
    lists: 'Lists',
    schedules: 'Schedules',
    outcomes: 'Outcomes',
    developers: 'Developers',
    keys: 'Keys',
    webhooks: 'Webhooks',
    requests: 'Failed requests',
    administration: 'Administration',
    policy: 'Policy',
    usage: 'Usage',
    team: 'Team',
    system: 'System',
    main: 'Main',
    more: 'More',
  },
  common: {
    role: { owner: 'Owner', admin: 'Admin', member: 'Member' },
    loading: 'Loading…',
    working: 'One moment…',
    retry: 'Try again',
    cancel: 'Cancel',
    close: 'Close',
    closeDialog: 'Dismiss',
    save: 'Save',
    undo: 'Undo',
    remove: 'Remove',
    delete: 'Delete',
    copy: 'Copy',
    copied: 'Copied',
    pressCopy: 'Press Ctrl+C',
    notEncrypted:
      'This connection is not encrypted: others in the network can read keys and addresses. Use https.',
    pageFailed: 'This page could not be loaded',
    pageFailedHint: 'The network may be interrupted, or the service was updated while this tab was open.',
    reload: 'Reload the page',
    next: 'Next page',
    previous: 'Previous page',
    never: 'never',
    optional: 'optional',
    requestId: 'Request id',
    inEnglish: 'Details of the service',
    error: 'That did not work',
    unsent: 'The service did not answer, so it is not certain that this was done. Try again once it answers.',
    paused: 'The service is paused until “rcpt resume”.',
    lost: 'The service does not answer. This page tries again; nothing you entered is lost.',
    notFound: 'There is no such page.',
    skip: 'Skip to content',
    testMode: 'Test mode',
    testModeHint: 'This is a test key: no mail server is contacted and nothing is charged.',
    testBand: 'Test mode: results are simulated. No mail server is contacted and nothing is charged.',
    simulated: 'Simulated',
    wait: (time: string) => `Try again in ${time}.`,
    quotaResets: (time: string) => `The quota starts again at 00:00 UTC, in ${time}.`,
    upgrade: (tier: string) => `Available from the tier “${tier}”.`,
    upgradeTo: (tier: string) => `Upgrade to “${tier}”`,
    shownOnce: 'Copy it now: it is shown only once.',
    status: 'Status',
    actions: 'Actions',
    createdAt: 'Created',
  },
  menu: {
    label: 'Menu',
    theme: 'Appearance',
    light: 'Light',
    dark: 'Dark',
    system: 'Like the system',
    language: 'Language',
    docs: 'API documentation',
    signOut: 'Sign out',
    signOutAll: 'Sign out of all teams',
    signOutOf: (team: string) => `Sign out of “${team}”`,
    team: (name: string) => `Team: ${name}`,
    teams: 'Teams',
    addTeam: 'Add a team…',
    commands: 'Commands',
  },
  signIn: {
    title: 'Sign in',
    keyHint: 'It stays in the tabs of the console and is forgotten when you close them.',
    otherWays: 'Other ways to sign in',
    key: 'API key',
    submit: 'Sign in',
    replaceTitle: 'Sign in with another key?',
    replaceTeam: (team: string) => `Sign in to the team “${team}”?`,
    replaceSession: (team: string) =>
      `A link wants to replace your session. You are signed in to “${team}”. What you enter afterwards goes to the other team.`,
    linkNo: 'Do not sign in',
    replaceAdd: 'Add this team and keep the others',
    replaceNo: 'Stay signed in as before',
    otherTeams: 'This session has keys of other teams. Open one of them, or sign in with another key.',
    unknownKey: 'This key is not valid: it was revoked, has expired, or belongs to another service.',
    publishableKey:
      'This is a publishable key, for web pages: it can only verify addresses. A key that signs in begins with rcpt_live_ or rcpt_test_.',
    notAKey: 'A key begins with rcpt_live_ or rcpt_test_ and has 48 characters.',
    where: 'The first start of the service prints a link that signs you in. Your team can also invite you.',
    byProvider: 'Sign in with your organization',
    byProviderHint:
      'You sign in where your organization has its accounts, and come back with a key for 12 hours.',
    toProvider: 'Go to the sign-in',
    byMail: 'Sign in by mail',
    byMailHint: 'You get a link that is valid for 15 minutes.',
    sendLink: 'Send me a link',
    mailSent: 'If this address belongs to a user, a link is on its way. It can be used once.',
    linkIntro: 'You opened a sign-in link. It can be used once and gives you a key for 12 hours.',
    linkReplaces: (team: string) => `You are signed in to “${team}”. The link ends this session.`,
    chooseTeam: 'You belong to several teams. Which one do you want to open?',
    otherWay: 'Sign in another way',
    haveInvite: 'I have an invite',
    haveKey: 'I have a key',
    inviteTitle: 'Accept an invite',
    inviteIntro: 'Paste the link of your invite, or its token.',
    linkOrToken: 'Link or token of the invite',
    notAnInvite: 'An invite has a link with #invite= or a token that begins with rcpt_invite_.',
    email: 'Your email address',
    accept: 'Join the team',
    newKeyTitle: 'Welcome. This is your key',
    newKeyIntro: 'You need it to sign in from another tab or browser, and to call the API.',
    proceed: 'Continue',
    signUpTitle: 'Create an account',
    signUpOpen: 'You get a team of your own, and its first key.',
    signUpConfirm:
      'You get a team of your own with a key for tests. A link that is sent to your address gives you the key for real use.',
    teamName: 'Name of the team',
    signUp: 'Create the team',
    confirmSent: (email: string) =>
      `A link to confirm your address was sent to ${email}. It shows the key for real use. Until then, this key is for tests.`,
  },
};

/** Those of all pages; English ones of a page that is loaded later are in its script. */
export type Texts = typeof en &
  typeof auditEn &
  typeof authorizeEn &
  typeof breakdownEn &
  typeof heldEn &
  typeof candidatesEn &
  typeof checkSentencesEn &
  typeof commandsEn &
  typeof domainFactsEn &
  typeof keptEn &
  typeof keyLimitsEn &
  typeof listMailsEn &
  typeof listsEn &
  typeof keyboardEn &
  typeof outcomesEn &
  typeof peopleEn &
  typeof policyEn &
  typeof publishableEn &
  typeof scheduleFormEn &
  typeof schedulesEn &
  typeof shortReasonsEn &
  typeof stepsEn &
  typeof teamEn &
  typeof webhooksEn;
