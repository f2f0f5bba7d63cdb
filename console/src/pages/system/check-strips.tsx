import { useQuery } from '@tanstack/react-query';
import { api, data, type Schemas } from '../../api/client';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { QueryResult } from '../../ui/query-result';
import { Badge, Card, styles, type Tone } from '../../ui/ui';
import { Untrusted } from '../../ui/untrusted';
import css from './system.module.css';

type Check = Schemas['SystemCheck'];
type Status = Check['status'];
type Day = Schemas['SystemCheckDay'];

const DAY_MS = 86_400_000;
/** A worker checks every hour. */
const POLL_MS = 600_000;

const TONES: Readonly<Record<Status, Tone>> = {
  pass: 'deliverable',
  warn: 'risky',
  fail: 'undeliverable',
  unknown: 'unknown',
};

/** The height says the same as the colour. */
const HEIGHTS: Readonly<Record<Status, number>> = { pass: 8, unknown: 4, warn: 16, fail: 24 };
const HEIGHT = 24;
const STEP = 6;
const WIDTH = 4;

/** What an operator has to act on first. */
const ORDER: readonly Status[] = ['fail', 'warn', 'unknown', 'pass'];

/** The checks of every egress: their last result, and the worst one of each of the last 90 days. */
export function CheckStrips({ checks }: { checks: readonly Check[] }) {
  const t = useTexts(webhooksEn);
  const history = useQuery({
    queryKey: ['system-checks'],
    queryFn: () => data(api.GET('/v1/admin/system/checks')),
    refetchInterval: POLL_MS,
  });
  return (
    <Card title={t.system.selfChecks} id="self-checks">
      <p className={styles.muted}>{t.system.selfChecksHint}</p>
      {checks.length === 0 ? (
        <p className={styles.muted}>{t.system.noSelfChecks}</p>
      ) : (
        <QueryResult query={history}>
          {({ first_day: first, last_day: last, checks: past }) => (
            <ul className={styles.stack}>
              {checks
                .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
                .map((check) => (
                  <CheckRow
                    key={`${check.egress} ${check.name}`}
                    check={check}
                    dates={datesBetween(first, last)}
                    days={
                      past.find(({ name, egress }) => name === check.name && egress === check.egress)?.days ??
                      []
                    }
                  />
                ))}
            </ul>
          )}
        </QueryResult>
      )}
    </Card>
  );
}

function CheckRow({ check, dates, days }: { check: Check; dates: readonly string[]; days: readonly Day[] }) {
  const t = useTexts(webhooksEn);
  const { time } = useFormats();
  const name = t.system.checks[check.name] ?? check.name.replaceAll('_', ' ');
  const count = (status: Status) => days.filter((day) => day.status === status).length;
  const bad = days.filter(({ status }) => status === 'fail' || status === 'warn');
  const summary = t.system.strip(count('fail'), count('warn'), count('unknown'), count('pass'));
  return (
    <li className={styles.stack}>
      <p className={styles.row}>
        <Badge tone={TONES[check.status]}>{t.system.statuses[check.status]}</Badge>
        <strong>{name}</strong>
        <span>{check.egress}</span>
        <span className={styles.muted}>{t.system.sinceTime(time(check.since))}</span>
      </p>
      <svg
        className={css.strip}
        viewBox={`0 0 ${dates.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}, ${check.egress}: ${summary}`}
      >
        {dates.map((date, index) => {
          const status = days.find((day) => day.date === date)?.status;
          const height = status === undefined ? 1 : HEIGHTS[status];
          return (
            <rect
              key={date}
              x={index * STEP}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              fill={status === undefined ? 'var(--line-strong)' : `var(--chart-${TONES[status]})`}
            >
              <title>{`${date}: ${status === undefined ? t.system.notChecked : t.system.statuses[status]}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className={styles.muted}>{summary}</p>
      {check.status !== 'pass' && (
        <p>
          <Untrusted text={check.detail} />
        </p>
      )}
      {bad.length > 0 && (
        <details>
          <summary>{t.system.badDays(bad.length)}</summary>
          <ul>
            {bad.toReversed().map(({ date, status, detail }) => (
              <li key={date}>
                {date}: {t.system.statuses[status]} – <Untrusted text={detail ?? ''} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Every UTC day, with both ends. */
function datesBetween(first: string, last: string): string[] {
  const firstMs = Date.parse(first);
  const days = Math.round((Date.parse(last) - firstMs) / DAY_MS) + 1;
  return Array.from({ length: days }, (_, day) =>
    new Date(firstMs + day * DAY_MS).toISOString().slice(0, 10),
  );
}
