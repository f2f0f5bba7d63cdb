/** The response of `POST /v1/verify` to a publishable key. */
export interface Verdict {
  email: string;
  status: 'deliverable' | 'undeliverable' | 'risky' | 'unknown';
  reason: string;
  did_you_mean: string | null;
  policy: { decision: 'accept' | 'review' | 'reject' };
}

/** Where verdicts are requested, and with which publishable key. */
export interface Service {
  url: string;
  key: string;
}

/**
 * The address is in the body and not in the URL, which proxies log. Origin is sent in any case, because the
 * mode is CORS.
 * @throws if the service gives no verdict, or the signal is aborted.
 */
export async function requestVerdict(
  { url, key }: Service,
  email: string,
  signal: AbortSignal,
): Promise<Verdict> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
    mode: 'cors',
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal,
  });
  const verdict = (await response.json()) as Partial<Verdict>;
  // A proxy or a captive portal may respond in place of the service.
  if (!response.ok || typeof verdict.policy?.decision !== 'string') throw new Error('no verdict');
  return verdict as Verdict;
}
