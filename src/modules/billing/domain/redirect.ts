/**
 * Where somebody may be sent back to: an http(s) URL of an allowed origin, without a user in it.
 *
 * @returns it as a browser reads it, which is what is handed on; null: not there.
 */
export function redirectTo(written: string, origins: readonly string[]): string | null {
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  if (url.username !== '' || url.password !== '') return null;
  return /^https?:$/.test(url.protocol) && origins.includes(url.origin) ? url.href : null;
}
