import type { ReactNode } from 'react';
import type { Verdict } from '../../api/client';
import { outcomesEn } from '../../texts/outcomes.en';
import { useTexts } from '../../texts/texts';
import { Badge, styles } from '../../ui/ui';
import { KnownOutcome } from './known-outcome';
import css from './verify.module.css';

type Outcome = 'good' | 'bad' | 'open';
/** A shape in addition to the colour. */
const MARKS = { good: '✓', bad: '✕', open: '?' } as const;

/** The checks in order, with their results. */
export function EvidenceSteps({ verdict }: { verdict: Verdict }) {
  const t = useTexts(outcomesEn);
  const { dns, smtp, list_match: match, policy, outcome: known, normalized_email: address } = verdict;
  const { canonical_email: mailbox } = verdict;
  const hasMail = dns.mx_found === true && dns.null_mx !== true;
  const mails: [string, Outcome, ReactNode][] =
    known === null
      ? []
      : [
          [
            t.outcomes.step,
            known.kind === 'delivered' ? 'good' : verdict.reason === 'bounced' ? 'bad' : 'open',
            <KnownOutcome key="outcome" outcome={known} />,
          ],
        ];
  const steps: [string, Outcome, ReactNode][] = [
    [
      t.verify.step.syntax,
      address === null ? 'bad' : 'good',
      address === null
        ? t.verify.syntaxBad
        : mailbox === null || mailbox === address
          ? t.verify.syntaxOk(address)
          : `${t.verify.syntaxOk(address)} ${t.verify.mailbox(mailbox)}`,
    ],
    [
      t.verify.step.domain,
      dns.mx_found === null ? 'open' : hasMail || dns.implicit_mx === true ? 'good' : 'bad',
      <DnsAnswer key="dns" dns={dns} />,
    ],
    [
      t.verify.step.lists,
      match === null ? 'good' : match.list === 'role' || match.list === 'privacy_relay' ? 'open' : 'bad',
      match === null ? t.verify.noLists : t.verify.onList(match.list, match.pattern, match.source),
    ],
    ...mails,
    [
      t.verify.step.smtp,
      smtp === null || verdict.status === 'unknown'
        ? 'open'
        : verdict.status === 'undeliverable'
          ? 'bad'
          : 'good',
      smtp === null ? t.verify.notTested : <Dialogue key="smtp" smtp={smtp} />,
    ],
    [
      t.verify.step.decision,
      policy.decision === 'accept' ? 'good' : policy.decision === 'reject' ? 'bad' : 'open',
      <p key="policy" className={styles.row}>
        <strong>{t.verify.policy[policy.decision]}</strong>
        <code>{verdict.reason}</code>
        {policy.rule !== null && <span>{t.verify.rule(policy.rule)}</span>}
      </p>,
    ],
  ];
  return (
    <ol className={css.steps}>
      {steps.map(([name, outcome, content]) => (
        <li key={name} data-outcome={outcome}>
          <h3>
            <span className={css.mark} aria-hidden="true">
              {MARKS[outcome]}
            </span>
            {name}
            <span className={styles.visuallyHidden}>: {t.verify.outcome[outcome]}</span>
          </h3>
          <div>{content}</div>
        </li>
      ))}
    </ol>
  );
}

export function DnsAnswer({ dns }: { dns: Omit<Verdict['dns'], 'error'> }) {
  const t = useTexts(outcomesEn);
  if (dns.mx_found === null && dns.mx.length === 0) return <p>{t.verify.notTested}</p>;
  if (dns.null_mx === true) return <p>{t.verify.nullMx}</p>;
  if (dns.mx.length === 0 && dns.implicit_mx !== true) return <p>{t.verify.noMx}</p>;
  return (
    <>
      <p className={styles.row}>
        {dns.implicit_mx === true ? t.verify.implicitMx : t.verify.mx(dns.mx.length)}
        {dns.provider !== null && <Badge>{t.verify.provider(dns.provider)}</Badge>}
      </p>
      <ul className={css.records}>
        {dns.mx.map(({ host, preference }) => (
          <li key={`${preference} ${host}`}>
            <code>{host}</code>
            <span className={styles.muted}>
              {t.verify.preference} {preference}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const STAGES = ['connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt'] as const;

/** The dialogue with the server, if it was contacted now, otherwise the stages; and the decisive reply. */
function Dialogue({ smtp }: { smtp: NonNullable<Verdict['smtp']> }) {
  const t = useTexts(outcomesEn);
  const { stage, mx_host: host, tls, code, enhanced_code: enhanced, text, category, rule } = smtp;
  const { attempts, egress, dialogue = [] } = smtp;
  if (host === null || stage === null) return <p>{t.verify.breakerOpen}</p>;
  const last = STAGES.indexOf(stage);
  const stages = STAGES.filter(
    (name, index) => index <= last && (name !== 'starttls' || tls === true || stage === name),
  );
  const stateOf = (name: (typeof STAGES)[number]) => {
    if (name !== stage) return t.verify.reached;
    return stage === 'connect' ? t.verify.failed : t.verify.stopped;
  };
  const reply = [code, enhanced, text].filter((part) => part !== null).join(' ');
  return (
    <>
      <p>
        {stage === 'connect' ? t.verify.notConnectedTo(host) : t.verify.connectedTo(host)}{' '}
        {tls === true && t.verify.withTls} {egress !== null && t.verify.through(egress)}
      </p>
      {dialogue.length > 0 ? (
        <Transcript lines={dialogue} />
      ) : (
        <ol className={css.dialogue}>
          {stages.map((name) => (
            <li key={name} data-last={name === stage}>
              <code>{t.verify.stage[name]}</code>
              <span className={styles.muted}>{stateOf(name)}</span>
            </li>
          ))}
        </ol>
      )}
      {reply !== '' && (
        <blockquote className={css.reply} aria-label={t.verify.serverSaid}>
          <code>{reply}</code>
        </blockquote>
      )}
      <p className={styles.muted}>
        {category !== null && t.verify.readAs(category, rule)} {t.verify.attempts(attempts)}.
      </p>
    </>
  );
}

const SIGNS = { connection: '→', client: 'C', server: 'S' } as const;

function Transcript({ lines }: { lines: NonNullable<NonNullable<Verdict['smtp']>['dialogue']> }) {
  const t = useTexts(outcomesEn);
  return (
    <ol className={css.transcript} aria-label={t.verify.dialogue}>
      {lines.map(({ source, text }, index) => (
        <li key={index} data-source={source}>
          <span aria-hidden="true">{SIGNS[source]}</span>
          <span className={styles.visuallyHidden}>{t.verify.speaker[source]}: </span>
          <code>{text}</code>
        </li>
      ))}
    </ol>
  );
}
