import { escapeHtml, page } from '../../platform/http/paging/page.js';
import { CONFIRMATION_TOKEN } from './domain/signup-confirmation.js';
import type { SignedUp } from './signup.service.js';

/**
 * The page behind the link in the mail. It changes nothing: mail servers and mail programs open links
 * to check them. It reads no database, so it does not reveal whether a token is valid.
 */
export function confirmSignupPage(publicUrl: string, token: unknown): string {
  const known = typeof token === 'string' && CONFIRMATION_TOKEN.matches(token);
  return page(
    'confirm your address',
    known
      ? `<h1>Confirm your address</h1>
<p>If you have signed up for Rcpt with the address that this link was sent to, confirm it. You are then
shown a live key, once; the test key that was shown at sign-up ends.</p>
<form method="post" action="${escapeHtml(publicUrl)}/signup/confirm">
<input type="hidden" name="token" value="${token}">
<button>Confirm</button>
</form>
<p>If you have not, close this page.</p>`
      : `<h1>Confirm your address</h1>
<p>This link is incomplete. Copy the whole link from the mail.</p>`,
  );
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
