import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import { useFormats, useLanguage, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { QueryResult } from '../../ui/query-result';
import { Badge, Card, Table, styles } from '../../ui/ui';
import { CheckSentence } from './check-sentence';
import { CHECK_TONES, CheckDays } from './check-days';
import css from './system.module.css';

type Check = Schemas['SystemCheck'];
type Texts = ReturnType<typeof useTexts<typeof webhooksEn>>;
type Status = Check['status'];

/** A worker checks every hour. */
const POLL_MS = 600_000;

/** What an operator has to act on first. */
const ORDER: readonly Status[] = ['fail', 'warn', 'unknown', 'pass'];
const worstOf = (checks: readonly Check[]) =>
  ORDER.find((status) => checks.some((check) => check.status === status)) ?? 'pass';

const labelOf = (t: Texts, name: string) => t.system.checks[name] ?? name.replaceAll('_', ' ');

/** Each check once, with its worst status, the worst first. */
const rowsOf = (checks: readonly Check[]) =>
  [...new Set(checks.map(({ name }) => name))]
    .map((name) => ({ name, worst: worstOf(checks.filter((check) => check.name === name)) }))
    .sort((a, b) => ORDER.indexOf(a.worst) - ORDER.indexOf(b.worst));

/** What the checks of the egresses say, in one line; null: none was made. */
export function useCheckSummary(checks: readonly Check[]): string | null {
  const t = useTexts(webhooksEn);
  const { number } = useFormats();
  const language = useLanguage();
  if (checks.length === 0) return null;
  const parts = (['fail', 'warn', 'unknown'] as const).map((status) => {
    const names = rowsOf(checks).filter(({ worst }) => worst === status);
    const list = new Intl.ListFormat(language).format(names.map(({ name }) => labelOf(t, name)));
    return names.length > 0 && SUMMARIES[status](t)(number(names.length), list);
  });
  return parts.filter(Boolean).join(' ') || t.system.allPass;
}

const SUMMARIES = {
  fail: (t: Texts) => t.system.toMend,
  warn: (t: Texts) => t.system.toLookAt,
  unknown: (t: Texts) => t.system.notMade,
};

/** The checks of every egress: one line, a table, what to do, and the last 90 days of the one that is chosen. */
export function CheckTable({ checks }: { checks: readonly Check[] }) {
  const t = useTexts(webhooksEn);
  const summary = useCheckSummary(checks);
  const egresses = [...new Set(checks.map(({ egress }) => egress))];
  const rows = rowsOf(checks);
  const bad = rows.filter(({ worst }) => worst !== 'pass');
  const passed = rows.filter(({ worst }) => worst === 'pass');
  const table = (shown: typeof rows) => (
    <Table label={t.system.selfChecks} head={[t.system.check, ...egresses]}>
      {shown.map(({ name }) => (
        <tr key={name}>
          <td>{labelOf(t, name)}</td>
          {egresses.map((egress) => (
            <td key={egress}>
              <Cell check={checks.find((check) => check.name === name && check.egress === egress)} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
  return (
    <Card title={t.system.selfChecks} id="self-checks">
      {checks.length === 0 ? (
        <p className={styles.muted}>{t.system.noSelfChecks}</p>
      ) : (
        <>
          <p>
            <strong>{summary}</strong>
          </p>
          {bad.length > 0 && table(bad)}
          <Remedies checks={checks} />
          {passed.length > 0 && (
            <details>
              <summary>{t.system.passedChecks(passed.length)}</summary>
              {table(passed)}
            </details>
          )}
          <Past checks={checks} />
        </>
      )}
    </Card>
  );
}

function Cell({ check }: { check: Check | undefined }) {
  const t = useTexts(webhooksEn);
  const { date } = useFormats();
  if (check === undefined) return '–';
  return (
    <>
      <Badge tone={CHECK_TONES[check.status]}>{t.system.statuses[check.status]}</Badge>{' '}
      <span className={styles.muted}>{t.system.sinceTime(date(check.since))}</span>
    </>
  );
}

/** What was found and what to do, each once, with the checks and egresses that it is about. */
function Remedies({ checks }: { checks: readonly Check[] }) {
  const t = useTexts(webhooksEn);
  const bad = checks
    .filter(({ status }) => status !== 'pass')
    .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const details = [...new Set(bad.map(({ detail }) => detail))];
  if (details.length === 0) return null;
  return (
    <div>
      <h3>{t.system.whatToDo}</h3>
      <ul className={css.remedies}>
        {details.map((detail) => (
          <li key={detail}>
            <strong>
              {bad
                .filter((check) => check.detail === detail)
                .map(({ name, egress }) => `${labelOf(t, name)} (${egress})`)
                .join(', ')}
            </strong>
            <div>
              <CheckSentence {...bad.find((check) => check.detail === detail)!} english={detail} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The last 90 days of one check of one egress. */
function Past({ checks }: { checks: readonly Check[] }) {
  const t = useTexts(webhooksEn);
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const history = useQuery({
    queryKey: ['system-checks'],
    queryFn: () => data(api.GET('/v1/admin/system/checks')),
    refetchInterval: POLL_MS,
    enabled: isOpen,
  });
  const sorted = checks.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  const check = sorted[chosen] ?? sorted[0];
  if (check === undefined) return null;
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t.system.pastDays}</summary>
      <div className={styles.stack}>
        <p className={styles.muted}>{t.system.selfChecksHint}</p>
        <div className={styles.field}>
          <label htmlFor={id}>{t.system.check}</label>
          <select id={id} value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
            {sorted.map(({ name, egress, status }, n) => (
              <option key={`${name} ${egress}`} value={n}>
                {`${labelOf(t, name)}, ${egress}: ${t.system.statuses[status]}`}
              </option>
            ))}
          </select>
        </div>
        {isOpen && (
          <QueryResult query={history}>
            {(past) => <CheckDays past={past} check={check} name={labelOf(t, check.name)} />}
          </QueryResult>
        )}
      </div>
    </details>
  );
}
