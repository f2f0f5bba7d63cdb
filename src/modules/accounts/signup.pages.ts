import { escapeHtml, linkPage, page } from '../../platform/http/pages/html-page.js';
import { CONFIRMATION_TOKEN } from './domain/signup-confirmation.js';
import type { SignedUp } from './signup.service.js';

/**
 * The page behind the link in the mail. It changes nothing: mail servers and mail programs open links to check them.
 * It is the same for every link, so it does not reveal whether a token is valid.
 */
export function confirmSignupPage(publicUrl: string): string {
  return linkPage({
    title: 'confirm your address',
    heading: 'Confirm your address',
    token: CONFIRMATION_TOKEN.format,
    body: `<p>If you have signed up for Rcpt with the address that this link was sent to, confirm it. You are then
shown a live key, once; the test key that was shown at sign-up ends.</p>
<form method="post" action="${escapeHtml(publicUrl)}/signup/confirm">
<input type="hidden" name="token">
<button>Confirm</button>
</form>
<p>If you have not, close this page.</p>`,
    incomplete: 'This link is incomplete. Copy the whole link from the mail.',
    script: '../link-token.js',
  });
}

/** The live key is shown only here. */
export function confirmedPage(publicUrl: string, { user, team, key }: SignedUp): string {
  const url = escapeHtml(publicUrl);
  return page(
    'address confirmed',
    `<h1>Your address is confirmed</h1>
<p>${escapeHtml(user.email)} owns the team ${escapeHtml(team.team.name)}. This is its live key. It is shown only once:</p>
<pre>${key.secret}</pre>
<p>Try it:</p>
<pre>curl '${url}/v1/verify?email=jane@example.com' \\
  -H 'Authorization: Bearer ${key.secret}'</pre>
<p>The test key from sign-up was revoked; <code>POST /v1/keys</code> with <code>"mode": "test"</code> creates another one.
See the <a href="${url}/docs">documentation</a>.</p>`,
  );
}

export function notConfirmedPage(reason: string): string {
  return page(
    'address not confirmed',
    `<h1>Your address is not confirmed</h1>
<p>${escapeHtml(reason)} Sign up again to get a new link.</p>`,
  );
}
