import { escapeHtml, page } from './html-page.js';

/** What a browser shows when it may not be sent back to the client. */
export function authorizationFailed(error: string, description: string): string {
  return page(
    'The authorization has failed',
    `<h1>The authorization has failed</h1><p>${escapeHtml(error)}: ${escapeHtml(description)}</p>
<p>Close this page, and connect again in the program that you came from.</p>`,
  );
}
