import { Lifecycle } from '../../kernel/service-state/lifecycle.js';
import { REASON_TABLE, type SmtpEvidence, type Status, type Verdict } from '../../kernel/verdict.js';
import { composeConfigured, storedLists } from '../../engine/library/configured-engine.js';
import { NoMeter } from '../../engine/library/no-meter.js';
import { verdictInJson } from '../../engine/verdict-in-json.js';
import { readConfig, type Config } from '../../platform/config/config.js';
import { SystemClock } from '../../platform/time/system-clock.js';
import { CommandLog } from '../command-log.js';
import { print, type Format } from '../terminal.js';

const DIRECT = 'direct';
const EXIT_CODES: Readonly<Record<Status, number>> = {
  deliverable: 0,
  undeliverable: 1,
  risky: 2,
  unknown: 3,
};

export interface VerifyFlags extends Format {
  /** Seconds. */
  timeout: number;
}

export function verifyAddress(email: string, flags: VerifyFlags): Promise<void> {
  return printVerdict(email, flags, readConfig(), new CommandLog());
}

/** Without Nest, which takes longer to load than the engine. */
export async function printVerdict(
  email: string,
  flags: VerifyFlags,
  config: Config,
  log: CommandLog,
): Promise<void> {
  const clock = new SystemClock();
  const composed = await composeConfigured({
    config,
    clock,
    meter: new NoMeter(),
    lifecycle: new Lifecycle(),
    lists: storedLists(config, clock, log),
    shared: null,
    log,
  });
  try {
    const verdict = await composed.engine.check(email, flags.timeout * 1000, { roleIsRisky: false });
    print(flags, verdictInJson(verdict, null), () => describe(verdict));
    process.exitCode = EXIT_CODES[verdict.status];
  } finally {
    await composed.close();
  }
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
