import { looksLikeInviteToken } from './domain/invite-token.js';

/**
 * Says how to use an invite. It asks no database, so it tells nobody whether a
 * token is good. What stands in the link is shown only if it has the shape of a
 * token, in which no character means anything to HTML or to a shell.
 */
export function acceptInvitePage(publicUrl: string, token: unknown): string {
  const known = typeof token === 'string' && looksLikeInviteToken(token);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Rcpt: accept an invite</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem }
pre { background: #f4f4f4; padding: 1rem; overflow-x: auto }
</style>
<h1>You are invited to a team</h1>
${known ? instructions(escape(publicUrl), token) : '<p>This link is not whole. Copy it again from the invite, to its very end.</p>'}
</html>
`;
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

function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
