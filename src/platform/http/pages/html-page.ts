import { serveAsset, type PageRouter } from './static-asset.js';

/** An HTML page. @param body HTML with escaped input. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>Rcpt: ${escapeHtml(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem }
pre { background: #f4f4f4; padding: 1rem; overflow-x: auto }
</style>
${body}
</html>
`;
}

export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

interface LinkPage {
  title: string;
  heading: string;
  /** A regular expression for the whole token. */
  token: RegExp;
  /** HTML that is shown if the link has a token, which replaces the text of each `class="token"` and `input`. */
  body: string;
  /** Shown without one. */
  incomplete: string;
  /** The path of `/link-token.js`, relative to the page. */
  script: string;
}

/**
 * A page that reads the token of its link from the fragment. Browsers do not send the fragment, so that no proxy, log
 * or server but that of the request with the token has it.
 */
export function linkPage({ title, heading, token, body, incomplete, script }: LinkPage): string {
  return page(
    title,
    `<h1>${escapeHtml(heading)}</h1>
<div id="link" data-token="${escapeHtml(token.source)}" hidden>
${body}
</div>
<p id="incomplete">${escapeHtml(incomplete)}</p>
<noscript><p>This page needs JavaScript, to read the token after <code>#token=</code> in the link.</p></noscript>
<script src="${escapeHtml(script)}"></script>`,
  );
}

/** A separate file: the content security policy allows no inline script. */
const LINK_SCRIPT = `const link = document.getElementById('link');
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
if (new RegExp(link.dataset.token).test(token)) {
  for (const place of link.querySelectorAll('.token')) place.textContent = token;
  for (const input of link.querySelectorAll('input[name=token]')) input.value = token;
  document.getElementById('incomplete').hidden = true;
  link.hidden = false;
}
`;

export function serveLinkToken(router: PageRouter): void {
  const make = () => Promise.resolve(LINK_SCRIPT);
  serveAsset(router, { path: '/link-token.js', type: 'js', make, cacheControl: 'public, max-age=300' });
}
