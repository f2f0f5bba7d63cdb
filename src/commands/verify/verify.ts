import { REASON_TABLE, type SmtpEvidence, type Status, type Verdict } from '../../kernel/verdict.js';
import { EngineModule } from '../../modules/verification/engine.module.js';
import { Engine } from '../../engine/engine.js';
import type { VerdictResponse } from '../../modules/verification/verification.dto.js';
import { withModules } from '../command-context.js';
import { print, type Format } from '../terminal.js';

const DIRECT = 'direct';
const EXIT_CODES: Readonly<Record<Status, number>> = {
  deliverable: 0,
  undeliverable: 1,
  risky: 2,
  unknown: 3,
};

export async function verifyAddress(email: string, options: Format & { timeout: number }): Promise<void> {
  const verdict = await withModules([EngineModule], (services) =>
    services(Engine).check(email, options.timeout * 1000, { roleIsRisky: false }),
  );
  print(options, options.json && (await responseOf(verdict)), () => describe(verdict));
  process.exitCode = EXIT_CODES[verdict.status];
}

/** Loaded for `--json` only: the classes of the API import `@nestjs/swagger`, which is large. */
async function responseOf(verdict: Verdict): Promise<VerdictResponse> {
  const { toResponse } = await import('../../modules/verification/verification.dto.js');
  return toResponse(verdict);
}

function describe(verdict: Verdict): string {
  const { dns, smtp, policy, listMatch, checks } = verdict;
  const yes = Object.entries(checks).filter(([, value]) => value === true);
  const rows: [string, string | null][] = [
    ['mail servers', dns.mx.map(({ host, preference }) => `${host} (${preference})`).join(', ') || null],
    ['provider', dns.provider],
    ['name servers', dns.error ?? null],
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

function connectionOf({ mxHost, stage, tls }: SmtpEvidence): string {
  if (mxHost === null) return 'none: a circuit breaker is open';
  return `${mxHost}, last stage ${stage}${tls ? ', with TLS' : ''}`;
}
