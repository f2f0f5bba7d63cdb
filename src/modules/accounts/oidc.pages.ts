import { escapeHtml, page } from '../../platform/http/pages/html-page.js';

export interface RefusalPage {
  status: number;
  /** Plain text. */
  reason: string;
}

export const REFUSALS = {
  not_configured: {
    status: 404,
    reason: 'No identity provider is configured here. Sign in with a key, or ask the operator for an invite.',
  },
  no_attempt: {
    status: 400,
    reason:
      'This sign-in has expired, has been completed, or was begun in another browser. The browser must accept the cookie of this site.',
  },
  invalid_response: {
    status: 400,
    reason: 'The response of the identity provider is not valid for this sign-in, or was used before.',
  },
  unavailable: {
    status: 503,
    reason:
      'The identity provider does not respond, or does not accept this service. Try again in a minute; if it lasts, tell the operator.',
  },
  too_many: {
    status: 429,
    reason: 'Too many sign-ins come from your network. Try again in a minute.',
  },
  denied: {
    status: 403,
    reason: 'The identity provider has not signed you in, or you have not given your consent.',
  },
  no_address: {
    status: 403,
    reason: 'The identity provider has not told your email address, or it is not valid.',
  },
  not_verified: {
    status: 403,
    reason: 'The identity provider has not verified your email address. Verify it there, and sign in again.',
  },
  foreign_domain: {
    status: 403,
    reason: 'Addresses of your domain may not sign in here. Sign in with an address of your organization.',
  },
  not_a_member: {
    status: 403,
    reason: 'Your address belongs to no team. Ask an administrator of your team for an invite.',
  },
} as const satisfies Record<string, RefusalPage>;

/** It contains nothing from the request: a link to it cannot show a text of somebody else. */
export function refusalPage({ reason }: RefusalPage, publicUrl: string): string {
  const url = escapeHtml(publicUrl);
  return page(
    'not signed in',
    `<h1>You are not signed in</h1>
<p>${escapeHtml(reason)}</p>
<p><a href="${url}/signin/oidc">Sign in again</a>, or <a href="${url}/console">open the console</a>.</p>`,
  );
}
