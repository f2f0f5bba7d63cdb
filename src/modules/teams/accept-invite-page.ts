import { escapeHtml, page } from '../../platform/http/page.js';
import { looksLikeInviteToken } from './domain/invite-token.js';

/**
 * Says how to use an invite. It asks no database, so it tells nobody whether a
 * token is good. What stands in the link is shown only if it has the shape of a
 * token, in which no character means anything to HTML or to a shell.
 */
export function acceptInvitePage(publicUrl: string, token: unknown): string {
  const known = typeof token === 'string' && looksLikeInviteToken(token);
  return page(
    'accept an invite',
    `<h1>You are invited to a team</h1>
${known ? instructions(escapeHtml(publicUrl), token) : '<p>This link is not whole. Copy it again from the invite, to its very end.</p>'}`,
  );
}

function instructions(url: string, token: string): string {
  return `<p>If you have a key of Rcpt already, join with it:</p>
<pre>curl '${url}/v1/invites/accept' \\
  -H 'Authorization: Bearer <i>your key</i>' \\
  -H 'Content-Type: application/json' \\
  -d '{"token":"${token}"}'</pre>
<p>If not, sign up with the invite; the answer holds your first key:</p>
<pre>curl '${url}/signup' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"<i>your address</i>","invite_token":"${token}"}'</pre>
<p>The invite can be used once. Whoever holds this link can join, so keep it to yourself.
The rest is in the <a href="${url}/docs">documentation</a>.</p>`;
}
