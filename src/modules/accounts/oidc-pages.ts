import { escapeHtml, page } from '../../platform/http/pages/html-page.js';
import type { PersonRefusal } from './oidc-sign-in.service.js';

export interface RefusalPage {
  status: number;
  /** Plain text. */
  reason: string;
}

export const NOT_CONFIGURED: RefusalPage = {
  status: 404,
  reason: 'No identity provider is configured here. Sign in with a key, or ask the operator for an invite.',
};
export const NO_ATTEMPT: RefusalPage = {
  status: 400,
  reason:
    'This sign-in has expired, has been completed, or was begun in another browser. The browser must accept the cookie of this site.',
};
export const INVALID_RESPONSE: RefusalPage = {
  status: 400,
  reason: 'The response of the identity provider is not valid for this sign-in, or was used before.',
};
export const UNAVAILABLE: RefusalPage = {
  status: 503,
  reason:
    'The identity provider does not respond, or does not accept this service. Try again in a minute; if it lasts, tell the operator.',
};
export const TOO_MANY: RefusalPage = {
  status: 429,
  reason: 'Too many sign-ins come from your network. Try again in a minute.',
};
export const DENIED: RefusalPage = {
  status: 403,
  reason: 'The identity provider has not signed you in, or you have not given your consent.',
};

export const REFUSED: Readonly<Record<PersonRefusal, RefusalPage>> = {
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
};

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
