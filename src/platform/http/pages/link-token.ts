import type { Router } from 'express';
import { serveAsset } from './static-asset.js';

const FRESH_SECONDS = 300;

/** A separate file: the content security policy allows no inline script. */
const SCRIPT = `const link = document.getElementById('link');
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
if (new RegExp(link.dataset.token).test(token)) {
  for (const place of link.querySelectorAll('.token')) place.textContent = token;
  for (const input of link.querySelectorAll('input[name=token]')) input.value = token;
  document.getElementById('incomplete').hidden = true;
  link.hidden = false;
}
`;

/** The script of `linkPage`. */
export function serveLinkToken(router: Router): void {
  const make = () => Promise.resolve(SCRIPT);
  serveAsset(router, { path: '/link-token.js', type: 'js', make, maxAgeSeconds: FRESH_SECONDS });
}
