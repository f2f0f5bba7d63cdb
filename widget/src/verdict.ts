/** The response of `POST /v1/verify` to a publishable key. */
export interface Verdict {
  email: string;
  status: 'deliverable' | 'undeliverable' | 'risky' | 'unknown';
  reason: string;
  did_you_mean: string | null;
  policy: { decision: 'accept' | 'review' | 'reject' };
  proof: string | null;
}

/** Where verdicts are requested, and with which publishable key. */
export interface Service {
  url: string;
  key: string;
}

let hasWarned = false;

/** The form works without a verdict, so that only its developer has to know why there is none. */
export function warn(reason: string): void {
  if (!hasWarned) console.warn(`rcpt.js: ${reason}`);
  hasWarned = true;
}

/**
 * The address is in the body and not in the URL, which proxies log. Origin is sent in any case, because `fetch` uses
 * CORS.
 * @returns a text: why there is no verdict.
 */
export async function requestVerdict(
  { url, key }: Service,
  email: string,
  signal: AbortSignal,
): Promise<Verdict | string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email }),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
      signal,
    });
    const verdict = (await response.json()) as Partial<Verdict> & { code?: string };
    // A proxy or a captive portal may respond in place of the service.
    if (response.ok && typeof verdict.policy?.decision === 'string') return verdict as Verdict;
    return `no verdict: ${response.status} ${verdict.code ?? ''}`;
  } catch {
    if (signal.aborted) return `no response of ${url} in time`;
    // A page cannot read the response to another origin than those of the key, and is not told why.
    return (
      `no response of ${url} that this page may read. Is ${location.origin} in allowed_origins of the key, ` +
      `and ${new URL(url).origin} in connect-src of the Content-Security-Policy?`
    );
  }
}
