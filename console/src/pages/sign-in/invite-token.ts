const STORED = 'rcpt.invite';

/** The token of an invite link, kept in this tab until it is used. */
export const inviteToken = {
  get: () => sessionStorage.getItem(STORED),
  put: (token: string | null) => {
    if (token !== null) sessionStorage.setItem(STORED, token);
  },
  clear: () => sessionStorage.removeItem(STORED),
};
