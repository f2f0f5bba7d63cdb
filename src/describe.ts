import type { SmtpEvidence, Verdict } from './kernel/verdict.js';
import { EXPLANATIONS } from './modules/verification/domain/explain.js';

/** A verdict for people: what it is, why, and the evidence. */
export function describe(verdict: Verdict): string {
  const { dns, smtp, policy, listMatch, checks } = verdict;
  const yes = Object.entries(checks).filter(([, value]) => value === true);
  const rows: [string, string | null][] = [
    ['mail servers', dns.mx.map(({ host, preference }) => `${host} (${preference})`).join(', ') || null],
    ['provider', dns.provider],
    ['asked', smtp && asked(smtp)],
    [
      'reply',
      smtp && ([smtp.code, smtp.enhancedCode, smtp.text].filter((part) => part !== null).join(' ') || null),
    ],
    ['rule', policy.rule],
    ['on a list', listMatch && `${listMatch.list}: ${listMatch.pattern} (${listMatch.source})`],
    [
      'checks',
      yes.map(([name]) => name.replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)).join(', ') || null,
    ],
    ['did you mean', verdict.didYouMean],
    ['ask again in', verdict.retryAfter === null ? null : `${verdict.retryAfter} s`],
    ['took', `${verdict.durationMs} ms`],
  ];
  return [
    `${verdict.email}: ${verdict.status} (${verdict.reason}), score ${verdict.score}`,
    `  ${EXPLANATIONS[verdict.reason]}`,
    ...rows.filter(([, value]) => value !== null).map(([name, value]) => `  ${name.padEnd(13)} ${value}`),
  ].join('\n');
}

function asked({ mxHost, stage, tls }: SmtpEvidence): string {
  if (mxHost === null) return 'no server: an earlier refusal stands';
  return `${mxHost}, as far as ${stage}${tls ? ', over TLS' : ''}`;
}
