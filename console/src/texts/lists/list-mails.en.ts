export const listMailsEn = {
  mails: {
    ask: (email: string) => `Mail ${email} when the list is ready`,
    askAny: 'Send a mail when the list is ready',
    noServer: 'This installation sends no mails.',
    noUser: 'A service key has no address.',
    unconfirmed: 'Your address is not confirmed: sign in with a mailed link first.',
    notCreator: 'Only the person who sent the list can ask for it.',
  },
};
