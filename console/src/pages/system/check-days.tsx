import type { Schemas } from '../../api/client';
import { useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { styles, type Tone } from '../../ui/ui';
import { CheckSentence } from './check-sentence';
import css from './system.module.css';

type Check = Schemas['SystemCheck'];
type Status = Check['status'];

export const CHECK_TONES: Readonly<Record<Status, Tone>> = {
  pass: 'deliverable',
  warn: 'risky',
  fail: 'undeliverable',
  unknown: 'unknown',
};

const DAY_MS = 86_400_000;

/** The height says the same as the colour. */
const HEIGHTS: Readonly<Record<Status, number>> = { pass: 8, unknown: 4, warn: 16, fail: 24 };
const HEIGHT = 24;
const STEP = 6;
const WIDTH = 4;

/** The worst result of each day of a check, as a strip and in words. @param name of the check, for people. */
export function CheckDays({
  past,
  check,
  name,
}: {
  past: Schemas['SystemCheckHistory'];
  check: Check;
  name: string;
}) {
  const t = useTexts(webhooksEn);
  const own = past.checks.find((each) => each.name === check.name && each.egress === check.egress);
  const days = own?.days ?? [];
  const dates = datesBetween(past.first_day, past.last_day);
  const count = (status: Status) => days.filter((day) => day.status === status).length;
  const bad = days.filter(({ status }) => status === 'fail' || status === 'warn');
  const summary = t.system.strip(count('fail'), count('warn'), count('unknown'), count('pass'));
  return (
    <div className={styles.stack}>
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
              fill={status === undefined ? 'var(--line-strong)' : `var(--chart-${CHECK_TONES[status]})`}
            >
              <title>{`${date}: ${status === undefined ? t.system.notChecked : t.system.statuses[status]}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className={styles.muted}>{summary}</p>
      {bad.length > 0 && (
        <details>
          <summary>{t.system.badDays(bad.length)}</summary>
          <ul>
            {bad.toReversed().map(({ date, status, detail, findings, remedy }) => (
              <li key={date}>
                {date}: {t.system.statuses[status]} –{' '}
                <CheckSentence findings={findings} remedy={remedy} english={detail ?? ''} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
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
