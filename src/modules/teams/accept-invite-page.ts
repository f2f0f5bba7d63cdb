import { escapeHtml, page } from '../../platform/http/paging/page.js';
import { looksLikeInviteToken } from './domain/invite-token.js';

/**
 * Explains how to accept an invite. It reads no database, so it does not reveal whether a token is
 * valid. The token of the link is shown only if it has the form of a token, which contains no character
 * that is special in HTML or a shell.
 */
export function acceptInvitePage(publicUrl: string, token: unknown): string {
  const known = typeof token === 'string' && looksLikeInviteToken(token);
  return page(
    'accept an invite',
    `<h1>You are invited to a team</h1>
${known ? instructions(escapeHtml(publicUrl), token) : '<p>This link is incomplete. Copy the whole link from the invite.</p>'}`,
  );
}

function instructions(url: string, token: string): string {
  return `<p>If you have a key of Rcpt, join with it:</p>
<pre>curl '${url}/v1/invites/accept' \\
  -H 'Authorization: Bearer <i>your key</i>' \\
  -H 'Content-Type: application/json' \\
  -d '{"token":"${token}"}'</pre>
<p>If not, sign up with the invite; the response contains your first key:</p>
<pre>curl '${url}/signup' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"<i>your address</i>","invite_token":"${token}"}'</pre>
<p>The invite can be used once. Anyone with this link can join, so do not share it.
See the <a href="${url}/docs">documentation</a>.</p>`;
}
