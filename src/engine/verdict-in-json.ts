import type { DnsEvidence, Verdict } from '../kernel/verdict.js';
import { canonicalEmail } from './address/canonical-email.js';

/**
 * A verdict with the members and the order of the API.
 *
 * @param outcome as the API shows it; null: none is known, or there is no team.
 */
export function verdictInJson<Outcome>(verdict: Verdict, outcome: Outcome | null) {
  const { checks, dns, smtp } = verdict;
  return {
    email: verdict.email,
    normalized_email: verdict.normalizedEmail,
    canonical_email: canonicalEmail(verdict),
    local_part: verdict.localPart,
    domain: verdict.domain,
    status: verdict.status,
    reason: verdict.reason,
    score: verdict.score,
    did_you_mean: verdict.didYouMean,
    checks: {
      disposable: checks.disposable,
      privacy_relay: checks.privacyRelay,
      role: checks.role,
      free: checks.free,
      subaddress: checks.subaddress,
      no_reply: checks.noReply,
      catch_all: checks.catchAll,
      mailbox_full: checks.mailboxFull,
      disabled: checks.disabled,
      smtputf8: checks.smtputf8,
    },
    dns: dnsInJson(dns),
    smtp: smtp && {
      stage: smtp.stage,
      code: smtp.code,
      enhanced_code: smtp.enhancedCode,
      category: smtp.category,
      mx_host: smtp.mxHost,
      attempts: smtp.attempts,
      tls: smtp.tls,
      text: smtp.text,
      rule: smtp.rule ?? null,
      egress: smtp.egress ?? null,
    },
    policy: verdict.policy,
    outcome,
    estimate: verdict.estimate,
    list_match: verdict.listMatch,
    retry_after: verdict.retryAfter,
    verified_at: verdict.verifiedAt.toISOString(),
    cached: verdict.cached,
    age_seconds: verdict.ageSeconds,
    duration_ms: verdict.durationMs,
  };
}

export function dnsInJson(dns: DnsEvidence) {
  return {
    mx_found: dns.mxFound,
    implicit_mx: dns.implicitMx,
    null_mx: dns.nullMx,
    mx: dns.mx,
    provider: dns.provider,
    error: dns.error ?? null,
  };
}
