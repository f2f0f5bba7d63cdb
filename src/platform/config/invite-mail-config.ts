/** The SMTP server for outgoing mails, and their sender address. */
export interface InviteMailConfig {
  url: string;
  from: string;
}

interface MailVariables {
  SIGNUP: string;
  INVITE_SMTP_URL?: string | undefined;
  INVITE_FROM?: string | undefined;
}

/** @returns null: no mail is sent; a string: an error message that names the missing variable. */
export function inviteMailIn(variables: MailVariables): InviteMailConfig | null | string {
  const { SIGNUP: signup, INVITE_SMTP_URL: url, INVITE_FROM: from } = variables;
  if ((url === undefined) !== (from === undefined)) {
    return (
      'Set both INVITE_SMTP_URL and INVITE_FROM, or neither: the mail server for invites, and their sender address. ' +
      'Without them, the link of an invite is only in the response that creates it.'
    );
  }
  if (url !== undefined && from !== undefined) return { url, from };
  if (signup !== 'confirm') return null;
  return (
    'SIGNUP=confirm sends a link to every address that signs up, and INVITE_SMTP_URL is not set. ' +
    'Set a mail server with INVITE_SMTP_URL and INVITE_FROM, or set SIGNUP to open or closed.'
  );
}
