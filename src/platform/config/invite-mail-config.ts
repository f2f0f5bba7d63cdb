/** The SMTP server that mails are sent through, and their sender address. */
export interface InviteMailConfig {
  url: string;
  from: string;
}

interface MailVariables {
  SIGNUP: string;
  INVITE_SMTP_URL?: string | undefined;
  INVITE_FROM?: string | undefined;
}

/** @returns null: no mail is sent; a text: which variable is missing, and what to set. */
export function inviteMailIn(variables: MailVariables): InviteMailConfig | null | string {
  const { SIGNUP: signup, INVITE_SMTP_URL: url, INVITE_FROM: from } = variables;
  if ((url === undefined) !== (from === undefined)) {
    return (
      'INVITE_SMTP_URL and INVITE_FROM go together: the server that takes invites, and the address they come from. ' +
      'With neither, an invite’s link is only in the answer that makes it.'
    );
  }
  if (url !== undefined && from !== undefined) return { url, from };
  if (signup !== 'confirm') return null;
  return (
    'SIGNUP=confirm sends a link to every address that signs up, and INVITE_SMTP_URL is not set. ' +
    'Give a mail server with INVITE_SMTP_URL and INVITE_FROM, or set SIGNUP to open or closed.'
  );
}
