import { REASON_TABLE, WARMUP_RULE, type SmtpEvidence, type Verdict } from '../../kernel/verdict.js';

const DIRECT = 'direct';

export function describe(verdict: Verdict): string {
  const { dns, smtp, policy, listMatch, checks } = verdict;
  const yes = Object.entries(checks).filter(([, value]) => value === true);
  const rows: [string, string | null][] = [
    ['mail servers', dns.mx.map(({ host, preference }) => `${host} (${preference})`).join(', ') || null],
    ['provider', dns.provider],
    ['connection', smtp && connectionOf(smtp)],
    ['egress', smtp?.egress && smtp.egress !== DIRECT ? smtp.egress : null],
    [
      'reply',
      smtp && ([smtp.code, smtp.enhancedCode, smtp.text].filter((part) => part !== null).join(' ') || null),
    ],
    ['rule', policy.rule],
    ['list match', listMatch && `${listMatch.list}: ${listMatch.pattern} (${listMatch.source})`],
    [
      'checks',
      yes.map(([name]) => name.replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)).join(', ') || null,
    ],
    ['did you mean', verdict.didYouMean],
    ['retry after', verdict.retryAfter === null ? null : `${verdict.retryAfter} s`],
    ['duration', `${verdict.durationMs} ms`],
  ];
  return [
    `${verdict.email}: ${verdict.status} (${verdict.reason}), score ${verdict.score}`,
    `  ${REASON_TABLE[verdict.reason].explanation}`,
    ...rows.filter(([, value]) => value !== null).map(([name, value]) => `  ${name.padEnd(13)} ${value}`),
  ].join('\n');
}

function connectionOf({ mxHost, stage, tls, rule }: SmtpEvidence): string {
  if (rule === WARMUP_RULE) return 'none: the daily ceiling of new egresses is reached (EGRESS_WARMUP)';
  if (mxHost === null) return 'none: a circuit breaker is open';
  return `${mxHost}, last stage ${stage}${tls ? ', with TLS' : ''}`;
}
