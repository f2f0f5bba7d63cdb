import { useState, type KeyboardEvent, type PointerEvent } from 'react';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { colorOf } from './chart-colors';
import styles from './charts.module.css';
import { greatest } from '../../../../src/kernel/long-lists';

interface Day {
  date: string;
  total: number;
  by_status: Partial<Record<string, number>>;
}

const HEIGHT = 100;
/** Parts of the maximum, from above. */
const LINES = [1, 0.5, 0];
const STATUSES = ['deliverable', 'risky', 'unknown', 'undeliverable'] as const;

/** A stacked bar for each day, oldest first; its values on hover, and by arrow keys. The table beside it says the same. */
export function DayChart({ days }: { days: Day[] }) {
  const t = useTexts(teamEn);
  const { number, date } = useFormats();
  const most = niceMaximum(
    greatest(
      days.map(({ total }) => total),
      1,
    ),
  );
  const [first, last] = [days[0], days.at(-1)];
  const [shown, setShown] = useState<number | null>(null);
  const wordsOf = ({ date: day, total, by_status: byStatus }: Day) => {
    const parts = STATUSES.filter((status) => (byStatus[status] ?? 0) > 0).map(
      (status) => `${t.status[status]} ${number(byStatus[status] ?? 0)}`,
    );
    return `${date(day)}: ${number(total)}${parts.length === 0 ? '' : ` (${parts.join(', ')})`}`;
  };
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor((days.length * (clientX - left)) / width);
    setShown(Math.min(days.length - 1, Math.max(0, index)));
  };
  const onKey = (event: KeyboardEvent) => {
    const at = shown ?? days.length - 1;
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: days.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setShown(Math.min(days.length - 1, Math.max(0, next)));
  };
  const selected = shown === null ? undefined : days[shown];
  return (
    <figure className={styles.days}>
      <div className={styles.plot}>
        <div className={styles.scale} aria-hidden="true">
          {LINES.map((line) => (
            <span key={line}>{number(most * line)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${days.length * 10} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="slider"
          tabIndex={0}
          aria-label={t.usage.byDay}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={(shown ?? days.length - 1) + 1}
          aria-valuetext={last && wordsOf(selected ?? last)}
          onKeyDown={onKey}
          onFocus={() => setShown((now) => now ?? days.length - 1)}
          onBlur={() => setShown(null)}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setShown(null)}
        >
          {shown !== null && <rect x={shown * 10 - 0.8} width="10" height={HEIGHT} fill="var(--surface-2)" />}
          {LINES.map((line) => (
            <rect
              key={line}
              y={Math.min(HEIGHT - 0.5, HEIGHT * (1 - line))}
              width="100%"
              height="0.5"
              fill="var(--line)"
            />
          ))}
          {days.map(({ date: day, by_status: byStatus }, index) => {
            let top = HEIGHT;
            return (
              <g key={day}>
                <rect x={index * 10} y={HEIGHT - 1} width="8.4" height="1" fill="var(--line-strong)" />
                {STATUSES.map((status) => {
                  const height = (HEIGHT * (byStatus[status] ?? 0)) / most;
                  top -= height;
                  return height === 0 ? null : (
                    <rect
                      key={status}
                      x={index * 10}
                      y={top}
                      width="8.4"
                      height={height}
                      fill={colorOf(status)}
                    />
                  );
                })}
              </g>
            );
          })}
        </svg>
      </div>
      <span className={styles.axis}>
        <span>{first && date(first.date)}</span>
        <strong>{selected && wordsOf(selected)}</strong>
        <span>{last && date(last.date)}</span>
      </span>
      <ul className={styles.keys}>
        {STATUSES.map((status) => (
          <li key={status}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" rx="2" fill={colorOf(status)} />
            </svg>
            {t.status[status]}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** 2, 4, 10, 20, 40, 100, …: its half is a whole number. */
function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.max(2, [1, 2, 4, 10].map((step) => step * power).find((step) => step >= value) ?? value);
}
