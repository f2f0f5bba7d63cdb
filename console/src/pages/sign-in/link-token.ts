/** The token of a link, kept in this tab until it is used. */
class LinkToken {
  constructor(private readonly stored: string) {}

  get(): string | null {
    return sessionStorage.getItem(this.stored);
  }

  put(token: string | null): void {
    if (token !== null) sessionStorage.setItem(this.stored, token);
  }

  clear(): void {
    sessionStorage.removeItem(this.stored);
  }
}

export const inviteToken = new LinkToken('rcpt.invite');
/** The key of a link that was opened in a tab with another session. */
export const offeredKey = new LinkToken('rcpt.offered-key');
export const signInToken = new LinkToken('rcpt.sign-in');
