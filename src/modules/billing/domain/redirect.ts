/**
 * Checks a return URL: http(s), an allowed origin, no user info.
 *
 * @returns the URL as a browser parses it; null: not allowed.
 */
export function redirectTo(text: string, origins: readonly string[]): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  return /^https?:$/.test(url.protocol) && origins.includes(url.origin) ? url.href : null;
}
