import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.js';

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The configuration was accepted');
}

describe('INVITE_SMTP_URL and INVITE_FROM', () => {
  const url = 'smtps://user:pass-word@mail.example:465';

  it('must be set both or not at all; without them no mail is sent', () => {
    const from = 'rcpt@service.example';
    expect(readConfig({ INVITE_SMTP_URL: url, INVITE_FROM: from }).inviteMail).toEqual({ url, from });
    expect(readConfig({}).inviteMail).toBeNull();
    expect(refusalOf({ INVITE_SMTP_URL: url })).toContain('or neither');
    expect(refusalOf({ INVITE_FROM: from })).toContain('or neither');
  });

  it('are required for SIGNUP=confirm', () => {
    expect(refusalOf({ SIGNUP: 'confirm' })).toMatch(/^SIGNUP=confirm .*INVITE_SMTP_URL is not set\. Set/);
  });

  it('must be the URL of a mail server and an address without a name; errors do not quote the value', () => {
    expect(
      refusalOf({ INVITE_SMTP_URL: 'https://pass-word@mail.example', INVITE_FROM: 'a@b.example' }),
    ).toMatch(/^INVITE_SMTP_URL must be a URL such as smtps:(?!.*pass-word)/);
    expect(refusalOf({ INVITE_SMTP_URL: url, INVITE_FROM: 'Rcpt <a@b.example>' })).toMatch(
      /^INVITE_FROM must/,
    );
  });
});
